"""Tiny random encoders of the families that the hub has, with tokenizers made here."""

import io

import pytest
import torch
import transformers

TEXT = "My name is Anna \n Smith and I live in Leeds."
CORPUS = [
    TEXT,
    "The applicant was born in 1970 and lives in Leeds. He wrote to the court.",
    "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 .,;:!?'\"()-",
]
SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
         "intermediate_size": 32}  # fmt: skip
# Kind: family, maker of its tokenizer, and what its config has besides.
DISTIL = {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32}
DEBERTA = {
    "relative_attention": True, "position_buckets": 8, "norm_rel_ebd": "layer_norm",
    "share_att_key": True, "pos_att_type": "p2c|c2p", "position_biased_input": False,
}  # fmt: skip
BYTES = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
SIGNS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"]


def word_pieces(cls):
    """Pieces of at most three letters, so that words have several."""

    def make(folder):
        words = " ".join(CORPUS).lower().split()
        parts = {w[i : i + 3] for w in words for i in (0, 3)} | {*"".join(words)}
        pieces = sorted(parts - {""}, key=lambda part: (len(part) > 1, part))
        vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *pieces]
        vocab += [f"##{x}" for x in pieces]
        path = folder / "vocab.txt"
        path.write_text("\n".join(dict.fromkeys(vocab)), encoding="utf8")
        return getattr(transformers, cls)(str(path))

    return make


def byte_pairs(folder):
    from tokenizers import ByteLevelBPETokenizer
    from tokenizers.processors import RobertaProcessing

    made = ByteLevelBPETokenizer()
    settings = {"vocab_size": 320, "show_progress": False}
    made.train_from_iterator(CORPUS, special_tokens=BYTES, **settings)
    made.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0))
    return transformers.RobertaTokenizerFast(tokenizer_object=made._tokenizer)


def unigrams(cls, special, first, last, unknown):
    """A tokenizer whose folder holds tokenizer.json alone."""

    def make(folder):
        from tokenizers import SentencePieceUnigramTokenizer
        from tokenizers.processors import TemplateProcessing

        made = SentencePieceUnigramTokenizer()
        settings = {"vocab_size": 120, "show_progress": False, "unk_token": unknown}
        made.train_from_iterator(CORPUS * 3, special_tokens=special, **settings)
        made.post_processor = TemplateProcessing(
            single=f"{first} $A {last}",
            special_tokens=[(sign, special.index(sign)) for sign in (first, last)],
        )
        return getattr(transformers, cls)(tokenizer_object=made._tokenizer)

    return make


def sentence_pieces(folder):
    """A tokenizer whose folder holds no tokenizer.json."""
    reason = "sentencepiece and protobuf (the extra `transformers`) are not installed"
    sentencepiece = pytest.importorskip("sentencepiece", reason=reason)
    pytest.importorskip("google.protobuf", reason=reason)
    model = io.BytesIO()
    settings = {"vocab_size": 120, "hard_vocab_limit": False, "minloglevel": 2}
    train = sentencepiece.SentencePieceTrainer.train
    train(sentence_iterator=iter(CORPUS * 3), model_writer=model, **settings)
    (folder / "spm.model").write_bytes(model.getvalue())
    return transformers.DebertaV2TokenizerFast(str(folder / "spm.model"))


SENTENCES = unigrams("XLMRobertaTokenizerFast", BYTES, "<s>", "</s>", "<unk>")
DISENTANGLED = unigrams("DebertaV2TokenizerFast", SIGNS, "[CLS]", "[SEP]", "[UNK]")
KINDS = {
    "bert": ("Bert", word_pieces("BertTokenizerFast"), {}),
    "slow": ("Bert", word_pieces("BertTokenizer"), {}),
    "distilbert": ("DistilBert", word_pieces("DistilBertTokenizerFast"), DISTIL),
    "electra": ("Electra", word_pieces("ElectraTokenizerFast"), {"embedding_size": 8}),
    "roberta": ("Roberta", byte_pairs, {}),
    "longformer": ("Longformer", byte_pairs, {"attention_window": [8, 8]}),
    "xlm-roberta": ("XLMRoberta", SENTENCES, {}),
    "deberta-v2": ("DebertaV2", DISENTANGLED, DEBERTA),
    "sentencepiece": ("DebertaV2", sentence_pieces, DEBERTA),
}
# Longest windows, special pieces included, that they take.
LONGEST = {kind: 96 if kind == "longformer" else 32 for kind in KINDS}
# The two rows of positions before the first belong to the padding.
PADDED = ("roberta", "longformer", "xlm-roberta")


def save(kind, folder, longest=0):
    """Save a random masked language model and its tokenizer; the path of the folder."""
    family, make_tokenizer, extra = KINDS[kind]
    torch.manual_seed(0)
    tokenizer = make_tokenizer(folder)
    config = getattr(transformers, f"{family}Config")(
        vocab_size=len(tokenizer),
        max_position_embeddings=(longest or LONGEST[kind]) + 2 * (kind in PADDED),
        pad_token_id=tokenizer.pad_token_id,
        **(extra if family == "DistilBert" else {**SIZES, **extra}),
    )
    transformers.AutoModelForMaskedLM.from_config(config).save_pretrained(folder)
    if kind == "sentencepiece":
        # As the tokenizers of such models come.
        tokenizer_config = folder / "tokenizer_config.json"
        tokenizer_config.write_text('{"tokenizer_class": "DebertaV2Tokenizer"}')
    else:
        tokenizer.save_pretrained(folder)
    return str(folder)
