# ruff: noqa: RUF001 (other scripts have letters that look like Latin ones)
"""The tables of languages, and how the language of a text is detected."""

import unicodedata

import pytest

from corpus_tools.base.errors import BadUsage
from corpus_tools.languages.detection import (
    SAMPLE_CHARACTERS,
    SCRIPTS,
    are_in_two_languages,
    detect_language,
    is_latin,
    sample,
)
from corpus_tools.languages.language import (
    CODES,
    ENGLISH,
    FUNCTION_WORD_CLASSES,
    NUMBER_CLASS,
    UNKNOWN,
    commonest,
    language,
)
from corpus_tools.texts.tokenizers import TOKENIZERS


@pytest.mark.parametrize("code", [*CODES, UNKNOWN])
def test_every_table_has_what_is_read_of_it(code):
    own = language(code)
    assert own.script in {"", "Latin", *SCRIPTS}
    assert own.tokenizer in TOKENIZERS
    assert set(own.classes.values()) <= {*FUNCTION_WORD_CLASSES, NUMBER_CLASS}
    lists = (own.function_words, own.abbreviations, own.stop_words, own.ignore_list)
    for words in (*lists, own.definite_determiners, own.referring_pronouns):
        assert all(word == word.lower() for word in words)
    assert own.skipped_by_initials >= {"of", "&"}
    assert (code == UNKNOWN) == (not own.script)


def test_an_unknown_code_lists_the_known_ones():
    with pytest.raises(BadUsage, match=r"unknown language 'ger'.*Known: ar, bg, ca, cs, da, de,"):
        language("ger")


TEXTS = {
    "en": "Engineers found cracks in the bridge, so the council will close it until May.",
    "de": "Am 3. Mai wurde die Brücke gesperrt, weil Ingenieure Risse in den Pfeilern fanden.",
    "fr": "Les ingénieurs ont trouvé des fissures dans le pont, qui sera fermé jusqu'en mai.",
    "es": "Los ingenieros encontraron grietas en el puente, que se cerrará hasta mayo.",
    "it": "Gli ingegneri hanno trovato delle crepe nel ponte, che sarà chiuso fino a maggio.",
    "pt": "Os engenheiros encontraram rachaduras na ponte, que será fechada até maio.",
    "nl": "De ingenieurs vonden scheuren in de brug, die tot mei gesloten wordt.",
    "sv": "Ingenjörerna hittade sprickor i bron, som ska vara stängd till maj.",
    "pl": "Inżynierowie znaleźli pęknięcia w moście, który zostanie zamknięty do maja.",
    "cs": "Inženýři našli trhliny v mostě, který bude uzavřen až do května.",
    "tr": "Mühendisler köprüde çatlaklar buldu ve köprü mayıs ayına kadar kapalı olacak.",
    "id": "Para insinyur menemukan retakan di jembatan itu dan jembatan akan ditutup.",
    "ru": "Инженеры нашли трещины в мосту, и он будет закрыт до мая.",
    "uk": "Інженери знайшли тріщини в мосту, і він буде закритий до травня.",
    "el": "Οι μηχανικοί βρήκαν ρωγμές στη γέφυρα, η οποία θα είναι κλειστή.",
    "ar": "وجد المهندسون تشققات في الجسر الذي سيغلق حتى مايو.",
    "fa": "مهندسان در این پل ترک‌هایی پیدا کردند که تا ماه مه بسته خواهد بود.",
    "he": "המהנדסים מצאו סדקים בגשר, והוא יהיה סגור עד מאי.",
    "hi": "इंजीनियरों को पुल में दरारें मिलीं और यह मई तक बंद रहेगा।",
    "th": "วิศวกรพบรอยร้าวที่สะพาน",
    "ko": "기술자들은 다리에서 균열을 발견했다.",
    "ja": "技術者は橋に亀裂を見つけた。",
    "zh": "工程师在桥上发现了裂缝，桥将关闭到五月。",
    "bg": "Инженерите откриха пукнатини в моста, който ще бъде затворен до май.",
    "ca": "Els enginyers han trobat esquerdes al pont, que serà tancat fins al maig.",
    "ur": "انجینئروں نے پل میں دراڑیں پائیں اور یہ مئی تک بند رہے گا۔",
    # No table.
    "und": "Ingeniarrek pitzadurak aurkitu zituzten zubian eta udalak maiatzera arte itxiko du "
    "autoentzat, alkateak astelehenean prentsaurrekoan jakinarazi zuenez.",
}


@pytest.mark.parametrize("code", TEXTS)
def test_texts_are_known_by_script_and_function_words(code):
    assert detect_language(TEXTS[code]) == code


@pytest.mark.parametrize(
    ("code", "text"),
    [
        *((ENGLISH, text) for text in ("", "S&P fell", "Die S&P", "El Niño hits Peru", "...")),
        (ENGLISH, "Der Spiegel wins the award"),
        # "met", "in" and "men" are Dutch words too, "la" one of many languages.
        (ENGLISH, "Police arrested two men in Leeds."),
        (ENGLISH, "President Obama met Chancellor Merkel in Berlin ."),
        (ENGLISH, "La Camorra is a mine ."),
        (ENGLISH, "a uni\ufb01ed theory of \u03b2-carotene"),
        # Letters that a language lacks or has alone.
        ("uk", "Президент підписав закон"),
        ("ru", "Президент подписал закон"),
        ("de", "Die Straße ist gesperrt"),
        ("pl", "Zażółć gęślą jaźń"),
        ("cs", "Ministr otevřel nový most v Praze"),
        ("vi", "Thủ tướng đã gặp các bộ trưởng ở Hà Nội và nói về kinh tế"),
        # No table, or too little to tell by: these are not Russian, Spanish or English.
        (UNKNOWN, "Министар је рекао да ће мост бити затворен до маја"),
        (UNKNOWN, "Ministar je posjetio bolnicu i rekao da će se graditi novi most između grada"),
        (UNKNOWN, "Bürgermeister tritt zurück"),
    ],
)
def test_few_words_and_letters_tell_a_language_or_that_nothing_does(code, text):
    assert detect_language(text) == detect_language(unicodedata.normalize("NFD", text)) == code


ENGLISH_TEXT = (
    "The minister said that the bridge will be closed for the whole of the summer to cars."
)
GERMAN_TEXT = (
    "Der Minister sagte, dass die Brücke im Sommer für alle Autos und Busse gesperrt wird."
)


def test_two_texts_of_different_languages_are_told_from_two_of_one():
    assert are_in_two_languages(ENGLISH_TEXT, GERMAN_TEXT)
    assert are_in_two_languages(ENGLISH_TEXT, TEXTS["ru"] * 2)
    assert not are_in_two_languages(GERMAN_TEXT, TEXTS["de"] * 2)
    assert not are_in_two_languages(ENGLISH_TEXT, "Der Minister und die Brücke")


def test_a_tenth_of_other_letters_is_no_latin_text():
    assert is_latin(["The word мир is Russian, and it stands for the world and for peace"])
    assert not is_latin(["The word", "мир"])
    assert is_latin([])


def test_most_pairs_decide():
    assert commonest(["de", "fr", "fr"]) == "fr"
    assert commonest(["de", "fr"]) == "de"
    assert commonest([]) == ENGLISH


def test_a_sample_ends_with_a_word():
    start = "a" * (SAMPLE_CHARACTERS - 3)
    assert sample([f"{start} words end"]) == f"{start} words"
    assert sample([start, "word by word", "more"]) == f"{start} word"
    assert sample(["short", "texts"]) == "short texts"
