"""Models that write paraphrases, of random weights made here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import ModelError, UsageError
from jostle.items import Item
from jostle.perturb import Variant
from jostle.predict.paraphrase import paraphrases
from jostle.predict.seq2seq import INSTRUCTION, PREFIX, Seq2SeqParaphraser, load_paraphraser

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

TEXTS = ["a slow film", "the cast is warm and the plot is bright", "dull", "the film is slow", "warm cast"]
WORDS = [
    "a",
    "the",
    "slow",
    "film",
    "cast",
    "is",
    "warm",
    "and",
    "plot",
    "bright",
    "dull",
    "movie",
    "user",
    "paraphrase",
]
TEMPLATE = "{% for turn in messages %}{{ turn['role'] }} {{ turn['content'] }} the {% endfor %}"


def tokenizer(folder: Path, template: str | None = None) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    specials = ["<pad>", "</s>", "<unk>"]
    vocabulary = {word: k for k, word in enumerate(specials + WORDS)}
    raw = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    raw.pre_tokenizer = pre_tokenizers.Whitespace()
    fast = PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="<pad>", eos_token="</s>", unk_token="<unk>")
    fast.chat_template = template
    fast.save_pretrained(folder)
    return fast


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An encoder-decoder, a causal model with a chat template, and one without."""
    from transformers import LlamaConfig, LlamaForCausalLM, T5Config, T5ForConditionalGeneration

    torch.set_num_threads(1)
    size = len(WORDS) + 3
    made = {name: tmp_path_factory.mktemp(name) for name in ("pair", "causal", "bare")}
    shared: dict[str, Any] = {"vocab_size": size, "pad_token_id": 0, "eos_token_id": 1, "tie_word_embeddings": False}
    pair_only = {**shared, "initializer_factor": 1.0}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        pair = T5Config(d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2, decoder_start_token_id=0, **pair_only)
        writer = T5ForConditionalGeneration(pair)
        with torch.no_grad():
            writer.lm_head.weight[:2] = 0.0  # else padding or the end is what it writes first
        writer.save_pretrained(made["pair"])
        causal = LlamaConfig(
            hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2, bos_token_id=None,
            initializer_range=1.0, **shared,
        )  # fmt: skip
        for name in ("causal", "bare"):
            LlamaForCausalLM(causal).save_pretrained(made[name])
    for name, folder in made.items():
        tokenizer(folder, TEMPLATE if name == "causal" else None)
    return made


@pytest.fixture(params=["pair", "causal"])
def load(request: pytest.FixtureRequest, folders: dict[str, Path]) -> Callable[..., Seq2SeqParaphraser]:
    return lambda **how: load_paraphraser(str(folders[request.param]), **how)


Load = Callable[..., Seq2SeqParaphraser]


@pytest.mark.parametrize("temperature", [0.0, 1.5])
def test_result_does_not_depend_on_the_batch(load: Load, temperature: float) -> None:
    model = load(temperature=temperature)
    together = model.paraphrase(TEXTS, 0)
    assert together == [model.paraphrase([text], 0)[0] for text in TEXTS]
    assert together == replace(model, batch_size=2).paraphrase(TEXTS, 0)
    assert together[::-1] == model.paraphrase(TEXTS[::-1], 0)
    assert any(together)


def test_seed_matters_only_when_sampling(load: Load) -> None:
    greedy, sampled = load(), load(temperature=5.0)
    assert greedy.paraphrase(TEXTS, 0) == greedy.paraphrase(TEXTS, 1)
    assert sampled.paraphrase(TEXTS, 0) != sampled.paraphrase(TEXTS, 1)
    assert sampled.paraphrase(TEXTS, 0) != greedy.paraphrase(TEXTS, 0)


def test_random_numbers_of_the_caller_do_not_shift(load: Load) -> None:
    model = load(temperature=1.0)
    torch.manual_seed(3)
    expected = torch.rand(2).tolist()
    torch.manual_seed(3)
    model.paraphrase(TEXTS[:2], 0)
    assert torch.rand(2).tolist() == expected


def test_greedy_output_is_that_of_the_model_alone(folders: dict[str, Path]) -> None:
    model = load_paraphraser(str(folders["pair"]))
    ids = model.tokenizer(PREFIX + TEXTS[0], return_tensors="pt")["input_ids"]
    written = [0]
    with torch.inference_mode():
        for _ in range(round(2.0 * 3) + 8):  # three tokens in the text
            logits = model.model(input_ids=ids, decoder_input_ids=torch.tensor([written])).logits
            written.append(int(logits[0, -1].argmax()))
            if written[-1] == 1:
                break
    assert len(written) > 2
    assert model.paraphrase([TEXTS[0]], 0) == [model.tokenizer.decode(written, skip_special_tokens=True).strip()]


def test_output_is_bounded(load: Load) -> None:
    for text in load(temperature=3.0).paraphrase(TEXTS, 2):
        assert len(text.split()) <= round(2.0 * 9) + 8
    (short,) = replace(load(temperature=3.0), longest=0.0).paraphrase(["dull"], 2)
    assert len(short.split()) <= 8


def test_sampling_follows_the_softmax() -> None:
    from jostle.predict.seq2seq import _Sampler

    # P(0) = e^(ln 3 / 2) / (1 + e^(ln 3 / 2)) = 1.732 / 2.732 = 0.634 at temperature 2.
    logits = torch.tensor([[torch.log(torch.tensor(3.0)), 0.0]]).repeat(4000, 1)
    drawn = _Sampler(range(4000), 2.0)(None, logits).argmax(dim=1)
    assert float((drawn == 0).float().mean()) == pytest.approx(0.634, abs=0.03)


def test_prompts(folders: dict[str, Path]) -> None:
    assert load_paraphraser(str(folders["pair"])).prompt == PREFIX
    assert load_paraphraser(str(folders["causal"])).prompt == INSTRUCTION
    own = load_paraphraser(str(folders["pair"]), prompt="movie ")
    assert own.paraphrase(TEXTS, 0) != load_paraphraser(str(folders["pair"])).paraphrase(TEXTS, 0)
    assert own.name == folders["pair"].name


def test_variants(load: Load) -> None:
    items = [Item(str(k), "sst2", {"sentence": text}) for k, text in enumerate(TEXTS)]
    results = list(paraphrases(load(temperature=1.0), items, lengths=(0.01, 100.0)))
    variants = [result for result in results if isinstance(result, Variant)]
    assert len(variants) >= 3
    assert all(variant.restore() == variant.base for variant in variants)


def test_no_texts(load: Load) -> None:
    assert load().paraphrase([], 0) == []


@pytest.mark.parametrize("how", [{"temperature": -1.0}, {"batch_size": 0}])
def test_settings_out_of_range(folders: dict[str, Path], how: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="`temperature` of at least 0 and `batch_size` of at least 1"):
        load_paraphraser(str(folders["pair"]), **how)


def test_causal_model_without_a_template(folders: dict[str, Path]) -> None:
    with pytest.raises(ModelError, match="a chat template with the causal model"):
        load_paraphraser(str(folders["bare"]))


def test_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_paraphraser(str(tmp_path))


def test_weights_that_are_missing_are_not_made_up(folders: dict[str, Path], tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    for file in folders["pair"].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    weights = load_file(tmp_path / "model.safetensors")
    del weights["decoder.block.0.layer.0.SelfAttention.q.weight"]
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match=r"its weights lack decoder\.block\.0\.layer\.0\.SelfAttention\.q\.weight"):
        load_paraphraser(str(tmp_path))
