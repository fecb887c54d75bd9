# ruff: noqa: RUF001 (the curly quotes and the other marks are the point)
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_tools.base.errors import BadData
from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.texts.forms import normal_form
from corpus_tools.texts.lexicons import Paraphrases, read_ignore_list
from corpus_tools.texts.running_text import running_text
from corpus_tools.texts.sentences import split_sentences
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import to_text
from corpus_tools.texts.trees import Bracket, flat, read_tree, write_tree
from tests.examples import examples
from tests.naive.trees import problems


def sentences(string: str, code: str = ENGLISH) -> list[str]:
    return [string[start:end].strip() for start, end in split_sentences(string, code)]


@pytest.mark.parametrize(
    "expected",
    [
        ["I saw Mr. Smith, i.e. him.", "It ran!", "Did it?", "“Yes.”", "He left."],
        ["J. K. Rowling et al. wrote it.", "It won."],
        ["Apples, pears etc.", "However, no figs, cf. Fig. 3."],
        ["Well . . . it rained.", "So . . . what?"],
        ["我们提出一种模型。", "它很好！", "为什么？", "“好。”", "GPT-3．5也好。"],
        ["東京へ行きました。", "「はい。」", "それだけです"],
        ["ខ្ញុំទៅ។", "គាត់មក។"],
        ["She lives at No. 5 Main Street.", "He left."],
        [f"他走了。{mark}" for mark in "」』）】》〉〕］｝”’\"')"],
    ],
    ids=lambda expected: expected[0],
)
def test_sentences(expected):
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en", ["1. Upgrade the pump.", "2. Restart it.", "It has 3.", "That is all."]),
        ("de", ["Am 3. Mai kam er.", "Es waren 15.", "Er ging.", "Ludwig XIV. von Frankreich."]),
        ("de", ["Sie wohnt z.B. in der Bachgasse Nr. 5 in Ulm.", "Prof. Huber nicht."]),
        ("fr", ["M. Dupont arrive.", "Il part."]),
        ("cs", ["Dne 3. května přišel.", "Odešel."]),
        ("hi", ["वह आया।", "वह गया।"]),
    ],
)
def test_sentences_of_languages(code, expected):
    assert sentences(" ".join(expected), code) == expected


# Stops that end no sentence; a bar stands between sentences.
GOING_ON = {
    "en": """
Yahoo! said it would buy Tumblr.|It did.
The Jeopardy! champion won.|He left.
Where Are You? was a hit.|It sold.
Sen. Robert Menendez (D-N.J.) said no.|Rep. Pallone (D-N.J.) Thursday did, too.
"Why?" he asked.|"Because," she said.
“Go!” she said.|“Now.”|He went.
He said "Stop!" and left.|She stayed.
He said: “I go.”|Then he left.
"We can.|We will," she said.|She left.
His book "Why? Because!" sold.|He left.
He won (again!) in May.|He said (this is one. This is two) and left.
(He left.|She came.)|They met.|(It rained.)|They stayed.
She lives at No. 5 Main Street.|He left.
George H.W. Bush and E.T. phoned J. R. R. Tolkien at 5 p.m. on Monday.|He answered.
He lives in the U.S.|The U.K. is far.|U.S. A. Smith left.
Tarvainen et. al propose it.|We apply it (incl. the rest).
The iPad came first.|iPhone sales rose.|(b) It fell.
`` Is it ? '' he asked .|`` No . ''|She left .
He left.[1]|Then he came.
**Bold.|** Then it rained.
Well ... he left.|... And she came.""",
    "de": """
„Was ist das?“ fragte er.|Dann ging er.
Der Film „Wer stirbt, ist länger tot!“ war ein Erfolg.|Er war gut.
„Du bleibst!“, rief sie.|Er sagte: „Ich gehe.“|Dann ging er.
»Hört auf!« rief er.|»Ich gehe.«|Das sagte sie.|» Ich auch. «|Er ging.
Sie sagte: ‚Komm!‘, und ging.|Er blieb.
Er kam (wie immer!) zu spät.|Sie nicht.
Sie mag Obst, z. B. Äpfel, d. h. Boskop, u. a. Sorten, i. d. R. Süßes.|Er nicht.
Im Jahr 44 v. Chr. starb Caesar.|Er war 55.
Am 3. 5. 2020 kam Dr.-Ing. Müller.|Er ging am 4. Mai.""",
    "fr": """
Il a dit.|« Nous partons. »|Puis il est parti.
Il a dit.|«\N{NO-BREAK SPACE}Nous partons.\N{NO-BREAK SPACE}»|Puis il est parti.
« Pourquoi ? » a-t-il demandé.|Elle est partie.
Il a crié : « Au feu ! » et il est parti.|Elle non.
Il aime les fruits, p. ex. Pommes, c.-à-d. Reinettes.|Elle non.""",
    "es": """
EE. UU. ganó.|Vive en EE. UU. desde 1990, con RR. HH. Olímpicos.|Él no.
Compró fruta, p. ej. Manzanas.|¿Quién es?|¡Hola!
«¡Alto!» gritó él.|¿Quién es?, preguntó ella.|«Soy yo.»|Dijo no.""",
    "it": """
Mangia frutta, ad es. Mele.|Lei no.
«Chi è?» chiese lui.|Lei rispose.""",
    "pt": """
Mora no sul, p. ex. Porto Alegre.|Ela não.
“Quem é?” perguntou ele.|Ela riu.""",
    "nl": """
Hij koopt fruit, d.w.z. Appels, d. w. z. Peren, o. a. Bessen.|Zij niet.
‘Wie is daar?’ vroeg hij.|’s Avonds gaat hij.""",
    "sv": """
”Vem är det?” frågade han.|Hon gick.
Han köpte t. ex. Äpplen, bl. a. Päron.|Hon gick.""",
    "da": "»Hvem er det?« spurgte han.|Han købte f. eks. Æbler.|Hun gik.",
    "fi": "”Kuka siellä?” hän kysyi.|Hän lähti.",
    "pl": """
„Kto tam?” zapytał.|– Kto tam? – zapytał.|Ona nie.
Kupił m.in. Jabłka, m. in. Gruszki i np. Śliwki.|Ona nie.""",
    "cs": "„Kdo je tam?“ zeptal se.|Ona ne.",
    "hu": "„Ki az?” kérdezte.|Ő nem.",
    "tr": "“Kim o?” diye sordu.|O gitti.",
    "el": "«Ποιος είναι;» ρώτησε.|Είδε π. χ. Μήλα.|Έφυγε.",
    "ru": """
Он купил т. е. Яблоки, и т. д.|Она нет.
«Кто там?» — спросил он.|— Кто там? — спросил он.|А. С. Пушкин писал.""",
    "uk": "Він купив т. зв. Яблука.|«Хто там?» — запитав він.|Вона ні.",
    "hi": "वह आया।|डॉ. शर्मा गए।",
    "ar": "قال: «نعم.»|ثم ذهب.|لماذا؟|لا أعرف.",
    "he": "הוא הלך.|היא באה.",
}


@pytest.mark.parametrize(
    ("code", "line"),
    [(code, line) for code, lines in GOING_ON.items() for line in lines.strip().splitlines()],
)
def test_sentences_go_on_behind_some_stops(code, line):
    expected = line.split("|")
    assert sentences(" ".join(expected), code) == expected


UNSPACED = {
    "zh": "他说：“我走。”|（她没走。）|他（真的？）来了。|“谁？”，他问。|“好！”）|他走了。",
    "ja": "「行く。」と言った。|彼は「行く。君も。」と言った。|本の『夢。』を見た。|「はい。」",
}


@pytest.mark.parametrize("code", UNSPACED)
def test_closing_marks_belong_to_the_sentence_before(code):
    expected = UNSPACED[code].split("|")
    assert sentences("".join(expected), code) == expected


def test_texts_without_capitals_begin_sentences_in_lower_case():
    expected = ["hello!", "how are you?", "fine.", "(not bad.)", "and you?"]
    assert sentences(" ".join(expected)) == expected


WORDS = "Mr No no nos Dr. U.S. e.g. a I Next words it 2 3. 2015 \u00c9t\u00e9 x.y z. B."
MARKS = """. ? ! .. ... ." .) ?' !\u201d , ; : - -- " ( ) ' \u201c \u201d « » [ ] 。 」"""
PIECES = [
    *WORDS.split(),
    *MARKS.split(),
    *([" "] * 12),
    "\t",
    "\u00a0",
    "\n",
    "end. Then",
    "(end.) So",
]
"""Pieces of text about which there are rules; blanks are frequent."""


@settings(max_examples=examples(300), deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=24).map("".join),
    st.sampled_from([ENGLISH, "de", "fr", "ja"]),
)
def test_sentences_hold_all_but_the_blanks_between_them(string, code):
    spans = split_sentences(string, code)
    parts = [string[start:end] for start, end in spans]
    assert all(part.strip() == part != "" for part in parts)
    edges = [0, *(edge for span in spans for edge in span), len(string)]
    assert edges == sorted(edges)
    assert not "".join(string[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)).strip()


# Tokens as running text: what a reader sees, and where each token stands in it


TOKENIZED = {
    "( CNN ) `` Furious 7 '' opens .": '(CNN) "Furious 7" opens.',
    "It 's $ 3.4 million -LRB- 5 % -RRB- , I do n't say .": "It's $3.4 million (5%), I don't say.",
    "'' We can '' , he said : '' Now . ''": '"We can", he said: "Now."',
    "the workers ' rights and ' new ' ones": "the workers' rights and 'new' ones",
    "“ a ” costs US$ 5 or 5 $ , ok ?": "“a” costs US$5 or 5 $, ok?",
    "ذهب الولد ، ثم عاد ؟": "ذهب الولد، ثم عاد؟",
    "L' école d' aujourd'hui , qu' il a dit": "L'école d'aujourd'hui, qu'il a dit",
    "all' uomo dell\u2019 acqua": "all'uomo dell\u2019acqua",
    "市 政府 说 \uff0c 石桥 修复 。": "市政府说\uff0c石桥修复。",
    "เขา ไป ABC แล้ว": "เขาไป ABC แล้ว",
    "😀 , 🎉 !": "😀, 🎉!",
}


@pytest.mark.parametrize("tokens", TOKENIZED)
def test_tokens_are_shown_as_people_write_them(tokens):
    as_list = running_text(Text.from_sentences([tokens.split()]))
    assert as_list[0] == TOKENIZED[tokens]
    assert running_text(to_text([tokens], "whitespace")) == as_list


def test_quotations_go_on_over_sentences():
    text = to_text(["`` We can .", "We will , '' she said .", "She left ."], "whitespace")
    assert running_text(text)[0] == '"We can. We will," she said. She left.'


def test_running_text_stays_as_it_was_given():
    given = ' "It"  costs\n $ 5 , ok .  '
    assert running_text(to_text(given, "treebank"))[0] == given
    assert running_text(to_text(["one  two\nthree ,"], "whitespace"))[0] == "one  two\nthree,"


PARTS = st.sampled_from(["``", "''", '"', "'", "`", "(", "-RRB-", ",", "$", "5", "n't", "a", "ß"])


@given(st.lists(st.lists(PARTS, min_size=1)))
def test_each_token_stands_in_order_and_only_blanks_are_between(sentences):
    string, spans = running_text(Text.from_sentences(sentences))
    assert len(spans) == sum(map(len, sentences))
    ends = [0, *(end for _, end in spans)]
    assert all(end <= start < stop for end, (start, stop) in zip(ends, spans, strict=False))
    assert {string[end:start] for end, (start, _) in zip(ends, spans, strict=False)} <= {"", " "}


# Trees of sentences; the lists of ignored words and of paraphrases


CAT = ("The", "cat", "sat")


def test_a_tree_is_its_brackets_in_pre_order():
    tree = read_tree("(ROOT (S (NP (DT The) (NN cat)) (VP (VBD sat))))", CAT)
    shown = [f"{one.label}:{one.start}-{one.end}" for one in tree]
    assert shown == ["ROOT:0-3", "S:0-3", "NP:0-2", "DT:0-1", "NN:1-2", "VP:2-3", "VBD:2-3"]
    assert write_tree(tree, CAT) == "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD sat))))"


@pytest.mark.parametrize(
    "text",
    [
        "(ROOT (NP (DT The) (NN cat)) (VP (VBD sat)))",
        "(TOP (NP (DT The) (NN cat)) (VP (VBD sat)))",
        "(S1 (NP (DT The) (NN cat)) (VP (VBD sat)))",
        "( (NP (DT The) (NN cat)) (VP (VBD sat)) )",
        "(ROOT (NP-SBJ (-NONE- *)) (NP (DT The) (NN cat)) (VP (VBD sat)))",
        "((NP-SBJ-1 (DT The)(NN cat))\n   (VP=2 (VBD  sat)\n (NP (-NONE- *T*-1))))",
    ],
)
def test_roots_function_labels_traces_and_layout_make_no_difference(text):
    assert write_tree(read_tree(text, CAT), CAT) == "(ROOT (NP (DT The) (NN cat)) (VP (VBD sat)))"


def test_a_tree_without_leaves_is_none_unless_the_sentence_is_empty():
    for text in ("(())", "()", "", "(ROOT (S (-NONE- *)))"):
        assert read_tree(text, CAT) is None
    for text in ("(ROOT)", "()", ""):
        assert read_tree(text, ()) == flat(0)
    assert write_tree(flat(0), ()) == "(ROOT)"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(S (NP The cat) (VP sat)", "1 brackets .* not closed"),
        ("(NP The cat) (VP sat)", "outside the tree"),
        ("(S The dog sat)", "leaf 1 of the tree is 'dog'"),
        ("(S The cat)", "2 leaves, the sentence 3"),
    ],
)
def test_what_is_no_tree_of_the_sentence_is_an_error(text, problem):
    with pytest.raises(BadData, match=problem):
        read_tree(text, CAT)


@st.composite
def trees(draw, length):
    """Random brackets over ``length`` tokens, by splitting, with unary chains."""

    def grow(start, end):
        brackets = [
            Bracket(draw(st.sampled_from(["NP", "VP", "S"])), start, end)
            for _ in range(draw(st.integers(0, 2)))
        ]
        if end == start + 1:
            return [*brackets, Bracket(draw(st.sampled_from(["NN", ",", "-LRB-"])), start, end)]
        middle = draw(st.integers(start + 1, end - 1))
        return brackets + grow(start, middle) + grow(middle, end)

    return [Bracket("ROOT", 0, length), *grow(0, length)]


@given(
    st.data(),
    st.lists(
        st.text("ab(){}[]-\\/ *", min_size=1).filter(lambda token: not token.isspace()), min_size=1
    ),
)
def test_what_is_written_is_read_again(data, tokens):
    tree = data.draw(trees(len(tokens)))
    assert not problems(tree, len(tokens))
    assert read_tree(write_tree(tree, tokens), tokens) == tree


def test_the_default_ignore_list_is_58_forms():
    # As many forms as entries: none is doubled by another spelling.
    assert len(language(ENGLISH).ignore_list) == len(read_ignore_list()) == 58
    assert {"the", "of", "'s", ",", "."} <= read_ignore_list()


# Few letters, so that words begin alike, and lengths around that of a key.
TOKENS = st.one_of(
    st.text("ab\0é\u2019", max_size=10),
    st.sampled_from(["s", "'s", "``", "''", '"', "\u201c", "-lrb-", "(", "`", "'"]),
)


def content_of(rows):
    return "\n".join("\t".join(row) for row in rows).encode()


@given(st.lists(st.tuples(TOKENS, TOKENS), max_size=30), TOKENS)
def test_the_words_of_all_lines_are_found(rows, other):
    expected = defaultdict(list)
    for first, second in rows:
        expected[normal_form(first)].append(normal_form(second))
    listed = Paraphrases(content_of(rows))
    for word in {normal_form(other), *expected}:
        assert sorted(listed[word]) == sorted(expected[word])
        assert listed[word] is listed[word]
