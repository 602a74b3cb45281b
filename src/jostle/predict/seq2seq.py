"""Local `transformers` models that write paraphrases: encoder-decoders (T5), and instruct models with a template."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ModelError, UsageError
from ..perturb.contract import seeded
from .revision import revision_of
from .weights import WRITER, loading, refuse_missing, require_packages

PREFIX = "paraphrase: "
_SPARE = 8  # new tokens on top, for short texts
INSTRUCTION = "Say the following sentence in other words. Keep the meaning. Answer with the new sentence only.\n\n"


@dataclass(frozen=True)
class Seq2SeqParaphraser:
    """A model that is given a text after a prompt and writes the paraphrase.

    Decoding is greedy, or sampled with one generator for each text: the result for a text depends on it and the seed,
    not on the other texts of its batch.

    Args:
        model: An encoder-decoder, or a causal model, in float32 and evaluation mode.
        tokenizer: Its tokenizer; a causal model needs one with a chat template.
        name: Name in the condition, `para/<name>`.
        revision: Which weights these are, where that is known.
        prompt: What stands before the text.
        temperature: 0 decodes greedily; above 0 samples.
        batch_size: Texts a batch.
        longest: Most new tokens for each token of the text.

    Limitations: what the model writes is not checked here (see `paraphrases`). Floating point differs between machines
    and batch sizes by parts in a million, which can turn a near tie.
    """

    model: Any
    tokenizer: Any
    name: str
    revision: str = ""
    prompt: str = PREFIX
    temperature: float = 0.0
    batch_size: int = 16
    longest: float = 2.0

    def paraphrase(self, texts: list[str], seed: int) -> list[str]:
        """One paraphrase for each text, in their order; longest first inside, so that little is padded."""
        order = sorted(range(len(texts)), key=lambda k: -len(texts[k]))
        written: dict[int, str] = {}
        for start in range(0, len(order), self.batch_size):
            batch = order[start : start + self.batch_size]
            outputs = self._write([texts[k] for k in batch], seed)
            written.update(zip(batch, outputs, strict=True))
        return [written[k] for k in range(len(texts))]

    def _write(self, texts: Sequence[str], seed: int) -> Iterator[str]:
        import torch
        from transformers import LogitsProcessorList

        inputs = self._inputs(texts)
        limits = self._limits(texts)
        seeds = [seeded(seed, self.name, text, "").getrandbits(63) for text in texts]
        processors = [_Sampler(seeds, self.temperature)] if self.temperature else []
        with torch.inference_mode():
            output = self.model.generate(
                **inputs, do_sample=False, num_beams=1, max_new_tokens=max(limits),
                logits_processor=LogitsProcessorList(processors),
            )  # fmt: skip
        start = 1 if self._is_pair else inputs["input_ids"].shape[1]
        rows = [row[start : start + limit].tolist() for row, limit in zip(output, limits, strict=True)]
        return (str(text).strip() for text in self.tokenizer.batch_decode(rows, skip_special_tokens=True))

    @property
    def _is_pair(self) -> bool:
        """Whether encoder and decoder are apart, so that the output does not repeat the prompt."""
        return bool(self.model.config.is_encoder_decoder)

    def _inputs(self, texts: Sequence[str]) -> dict[str, Any]:
        prompts = [self.prompt + text if self._is_pair else self._chat(text) for text in texts]
        side = "right" if self._is_pair else "left"
        inputs = self.tokenizer(
            prompts, return_tensors="pt", padding=True, padding_side=side, add_special_tokens=self._is_pair
        )
        return {name: inputs[name] for name in ("input_ids", "attention_mask")}

    def _limits(self, texts: Sequence[str]) -> list[int]:
        """Most new tokens of each text, whatever the others of its batch are."""
        ids = self.tokenizer(list(texts), add_special_tokens=False)["input_ids"]
        return [round(self.longest * len(own)) + _SPARE for own in ids]

    def _chat(self, text: str) -> str:
        turns = [{"role": "user", "content": self.prompt + text}]
        return str(self.tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True))


class _Sampler:
    """Noise on the logits of each row, from a generator of its own: the largest is then a draw from the softmax."""

    def __init__(self, seeds: Sequence[int], temperature: float) -> None:
        import torch

        self._generators = [torch.Generator().manual_seed(seed) for seed in seeds]
        self._temperature = temperature

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Scores over the temperature plus standard Gumbel noise."""
        import torch

        uniform = torch.stack([torch.rand(scores.shape[1], generator=own) for own in self._generators])
        return scores / self._temperature - (-uniform.clamp_min(1e-20).log()).log()


def load_paraphraser(
    name: str, prompt: str | None = None, temperature: float = 0.0, batch_size: int = 16
) -> Seq2SeqParaphraser:
    """Load a paraphraser from a folder or by Hub id.

    Weights are read from safetensors only and in float32, code of the model's repository is never run, and nothing is
    fetched for a folder.

    Args:
        name: Folder or Hub id of an encoder-decoder (T5 style) or of a causal model with a chat template.
        prompt: What stands before the text; by default "paraphrase: ", and an instruction for a causal model.
        temperature: 0 decodes greedily; above 0 samples.
        batch_size: Texts a batch.

    Raises:
        MissingExtra: torch or transformers is not installed.
        ModelError: There is no such model, or it is of neither kind.
        UsageError: `temperature` is negative or `batch_size` below 1.
    """
    if temperature < 0 or batch_size < 1:
        raise UsageError(
            f"Expected `temperature` of at least 0 and `batch_size` of at least 1, but got "
            f"{temperature} and {batch_size}."
        )
    require_packages()
    model, tokenizer = _load(name)
    causal = not model.config.is_encoder_decoder
    if causal and not tokenizer.chat_template:
        raise ModelError(f"Expected a chat template with the causal model at {name}, but its tokenizer has none.")
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    revision = revision_of(name, model.config)
    wording = (INSTRUCTION if causal else PREFIX) if prompt is None else prompt
    return Seq2SeqParaphraser(model, tokenizer, Path(name).name, revision, wording, temperature, batch_size)


def _load(name: str) -> tuple[Any, Any]:
    local = Path(name).is_dir()
    with loading(name, WRITER):
        import torch
        from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer

        config = AutoConfig.from_pretrained(name, local_files_only=local)
        kind = AutoModelForSeq2SeqLM if config.is_encoder_decoder else AutoModelForCausalLM
        model, info = kind.from_pretrained(
            name, dtype=torch.float32, use_safetensors=True, local_files_only=local, output_loading_info=True
        )
        tokenizer = AutoTokenizer.from_pretrained(name, local_files_only=local)
    refuse_missing(name, WRITER, info)
    return model.eval(), tokenizer
