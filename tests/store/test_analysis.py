import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision_ctx.store.analysis import LONGEST, stem, tokens, words


def finds(query, text):
    """Whether every token of a query is a token of the text."""
    asked = tokens(query)
    return bool(asked) and set(asked) <= set(tokens(text))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        # identifiers, whole and in parts (S25)
        ("gate_02", "Camera gate_02."),
        ("gate", "Camera gate_02."),
        ("gate 2", "Camera gate_02."),
        ("Cam-3", "Cam-3"),
        ("camera 3", "Camera Cam-3"),
        ("INC-2023-Q4-011", "see INC-2023-Q4-011."),
        ("inc-2023-q4-11", "see INC-2023-Q4-011."),
        ("Q4", "see INC-2023-Q4-011."),
        ("O'Brien", "O’Brien gate"),
        ("brien", "O'Brien's gate"),
        ("anna@site.org", "mail anna@site.org, please"),
        ("192.168.0.1", "at 192.168.0.1"),
        ("loading bay", "loading/bay"),
        ("cam 3", "cam03"),
        ("cam03", "CAM03"),
        ("cam3", "cam 3 cam3"),
        ("front door", "FrontDoor"),
        ("frontdoor", "FrontDoor"),
        ("http server", "HTTPServer"),
        # numbers and times
        ("7:05", "07:05"),
        ("07:05", "7:05"),
        ("7", "007"),
        ("0", "000"),
        ("3.5", "3.5 t"),
        # common words stay words
        ("IT", "camera IT"),
        ("to be or not to be", "To be or not to be."),
        ("a", "A"),
        # forms, accents, widths
        ("persons", "a person"),
        ("person's", "a person's bag"),
        ("cafe", "Café"),
        ("Café", "CAFE"),
        ("cafe-nord", "Café-Nord"),
        ("Strasse", "Straße"),
        ("naïve", unicodedata.normalize("NFD", "naïve")),
        ("camera 7", "Ｃａｍｅｒａ　７"),
        ("1", "①"),
        ("scientific", "scienti\ufb01c"),
        ("camera", "cam\u00adera"),
        ("елка", "ёлка"),
        # other scripts (S24, S32)
        ("华山", "华山是一个很好旅游景点，人们常常去爬华山。"),
        ("山", "华山是一个很好旅游景点"),
        ("白い車", "門の前に白い車が止まった。"),
        ("カメラ", "ｶﾒﾗの前"),
        ("ประตู", "ประตูหน้าบ้านเปิดอยู่"),
        ("카메라", "카메라가 보았다"),
        ("تقرير", "هذا تقرير البوابة"),
        ("تقرير", "تَقرير"),
        ("محمد21", "محمد21 عند المدخل"),
        ("שלום", "שָׁלוֹם"),
        ("हिन्दी", "हिन्दी कैमरा"),
    ],
)
def test_finds(query, text):
    assert finds(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("gate", "navigate the gateway"),
        ("हद", "हिन्दी"),
        ("7:05", "7:50"),
        ("it", "item with iteration"),
        ("山水", "山と水"),
        ("700", "7"),
    ],
)
def test_does_not_find(query, text):
    assert not finds(query, text)


def test_emoji_and_controls_make_no_tokens_and_break_words():
    assert tokens("😀 👨‍👩‍👧 \x00\x1b \u200b … — _ __ '") == []
    assert tokens("gate\x00van\x0btruck\u2028bus") == ["gate", "van", "truck", "bus"]
    assert tokens("") == []


def test_unseen_characters_change_nothing():
    assert tokens("\ufeffcam\u200dera\u2066 gate\u2069") == tokens("camera gate")


def test_repeats_are_counted_and_order_kept():
    assert tokens("van gate van") == ["van", "gate", "van"]
    assert tokens("gate_02") == ["gate_2", "gate", "2"]
    assert tokens("Cam-03") == ["cam-3", "cam", "3"]


def test_words_name_what_was_written():
    assert words("White O'Brien 07:05?") == {
        "White": ["white"],
        "O'Brien": ["o'brien", "o", "brien"],
        "07:05": ["7:5", "7", "5"],
    }


def test_long_runs_are_kept_in_pieces():
    run = "abcd" * 100
    assert all(len(token) <= LONGEST for token in tokens(run))
    assert sum(map(len, tokens(run))) == len(run)


def test_stems_are_english_and_leave_other_scripts():
    assert stem("running") == stem("runs") == "run"
    assert stem("카메라") == "카메라"
    assert stem("x1") == "x1"


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=200))
def test_any_text_gives_the_same_tokens_for_record_and_question(text):
    found = tokens(text)
    assert set(found) == {token for forms in words(text).values() for token in forms}
    assert all(token and not any(char.isspace() for char in token) for token in found)
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(unicodedata.normalize("NFC", text))
