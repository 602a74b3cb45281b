const keys = { y: "review-yes", n: "review-no", u: "review-unsure", ArrowLeft: "review-back", ArrowRight: "review-next" };
element.setAttribute("aria-live", "polite");
const press = (event) => {
  if (!element.isConnected) return document.removeEventListener("keydown", press);
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || element.offsetParent === null) return;
  if (event.target.closest("input, textarea, select, [contenteditable], [role=tab], [role=listbox]")) return;
  const on = document.querySelector("#review-keys input");
  const id = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const button = id && on && on.checked ? document.getElementById(id) : null;
  if (!button || button.disabled) return;
  event.preventDefault();
  button.click();
};
document.addEventListener("keydown", press);
