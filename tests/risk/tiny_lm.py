"""Tiny random masked language models, with tokenizers made here."""

import torch
import transformers

WORDS = (
    "the a in of and was is born lived he she his her doctor teacher painter from "
    "paris leeds oslo rome france norway italy anna john smith murray 1970 1980 "
    "court applicant applied lodged case january may . , ( ) ' - / : ;"
).split()
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789éø"
SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
         "intermediate_size": 32}  # fmt: skip


def enlarge(model):
    """Weights larger than usual, so that what stands around matters."""
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(6 if weight.ndim > 1 else 1)
    return model


def save_bert(folder, longest=64, head=True, large=True):
    """Save a tiny random BERT; the path of its folder."""
    vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *LETTERS]
    vocab += [f"##{x}" for x in LETTERS]
    path = folder / "vocab.txt"
    path.write_text("\n".join(dict.fromkeys(vocab)), encoding="utf8")
    tokenizer = transformers.BertTokenizerFast(str(path))
    sizes = {**SIZES, "max_position_embeddings": longest}
    config = transformers.BertConfig(vocab_size=len(tokenizer), **sizes)
    torch.manual_seed(0)
    model = (transformers.BertForMaskedLM if head else transformers.BertModel)(config)
    (enlarge(model) if large else model).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)
