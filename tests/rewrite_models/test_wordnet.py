"""WordNet's reader and its index, entries of texts, trees of synsets, concepts."""

import io
import os
import random
import re
import shutil
from collections import Counter
from dataclasses import replace
from itertools import chain, islice
from math import inf

import nltk.data
import numpy as np
import pytest

from corpus_tools.base.errors import BadData, BadResource, BadUsage
from corpus_tools.base.files import cache_folder
from corpus_tools.texts import lexicons
from rewrite_models import wordnet_index
from rewrite_models.concepts import concepts_of
from rewrite_models.kinds import WORD_CLASSES
from rewrite_models.wordnet import WordNet, WordNetSettings, find_entries, first_senses
from rewrite_models.wordnet_index import index_of, parsed
from rewrite_models.wordnet_reader import HypernymTree, WordNetReader, open_wordnet
from semihmm.reference import dist
from tests.naive.relation import numbers_of
from tests.paths import lines_beside
from tests.tiny_corpora import batches, corpus_of, pair, vocabulary_of
from tests.tiny_wordnet import write_wordnet


@pytest.mark.parametrize("seed", range(20))
def test_distances_and_their_histogram_are_those_of_the_chains(seed):
    generator, chains = random.Random(seed), [()]
    for node in range(generator.randint(1, 40)):
        chains.append((str(node), *generator.choice(chains)))
    tree = HypernymTree().grown(chains)
    chains[:1] = [None, ("not in the tree",)]
    numbers = tree.numbers(chains)
    for number, one in zip(numbers[2:], chains[2:], strict=True):
        found = tree.distances(np.full(len(chains), number), numbers)
        expected = [dist(one, other, lambda own: own or ()) for other in chains]
        assert found.tolist() == [-1 if steps == inf else steps for steps in expected]
        (histogram,) = tree.histogram(np.array([number]), numbers).tolist()
        near = Counter(steps for steps in expected if steps != inf)
        assert {steps: entries for steps, entries in enumerate(histogram) if entries} == near
    assert numbers[:2].tolist() == [-1, -1]


def test_entries_and_what_is_above_them_are_those_that_were_looked_at(miniature, looked_at):
    """The first hypernym in the file counts, and the least synset of a ring is its root."""
    wordnet, lemmas = open_wordnet(str(miniature)), {}
    for part in ("noun", "verb", "adj", "adv"):
        for line in (miniature / f"data.{part}").read_text().splitlines():
            lemmas[f"{line[:8]}-{part[0]}"] = line.split()[4]
    made = 'A text without "in"|its entries, each with its place, and the lemmas above its own\n'
    for row in lines_beside(__file__, "entries.txt"):
        text, _, _ = row.partition("|")
        entries = find_entries(text.split(), wordnet, skipped=frozenset({"in"}))
        chains = first_senses([entry for *_, entry in entries], wordnet)
        found = [
            f"{start}-{start + length} {entry}: {', '.join(map(lemmas.__getitem__, chain))}"
            for (start, length, entry), chain in zip(entries, chains, strict=True)
        ]
        made += f"{text}|{'; '.join(found)}\n"
    assert made == looked_at("entries.txt", made)
    assert first_senses(["blue", "dog"], wordnet)[0] is None
    assert wordnet.index.title == "WordNet 9.9"


def test_the_model_needs_wordnet():
    for path, problem in (("none", "cannot go without WordNet"), (" ", "wordnet must be")):
        with pytest.raises(BadUsage, match=problem):
            WordNetSettings(wordnet=path)


def test_only_entries_of_training_have_a_sum_that_is_counted(miniature):
    corpus = corpus_of([pair("1", "Rex left", "Rex")])
    settings = WordNetSettings(wordnet=str(miniature))
    model = WordNet.initial(corpus, settings)
    assert replace(model, eta=2.5).warm_start(corpus, settings).eta == 2.5
    new = [pair("2", "rein curb", "curb"), pair("3", "dog", "dog")]
    (batch,) = batches(new, vocabulary_of(new, corpus.batches[0].vocabulary), size=2)
    counts = model.expected_statistics(model.features(batch), np.full(3, 0.5))
    assert (counts["synsets"].sum(), counts["distance"]) == (0.5, 0.0)


WORDNET_FILES = (
    "data.noun, data.verb, data.adj, data.adv, index.noun, index.verb, index.adj, index.adv"
)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Return a WordNet outside NLTK's data path, with none at any of the usual locations."""
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "nltk_data")])
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    monkeypatch.delenv("WNHOME", raising=False)
    directories = ("$WNSEARCHDIR", "$WNHOME/dict", str(tmp_path / "usr"))
    monkeypatch.setattr(lexicons, "WORDNET_DIRECTORIES", directories)
    monkeypatch.chdir(tmp_path)
    return write_wordnet(tmp_path / "mine")


def test_the_locations_are_tried_in_order(elsewhere, tmp_path, monkeypatch):
    inside = "nltk_data/corpora/wordnet"
    for variable, value, place in (
        ("WNHOME", "no", "usr"),
        ("WNHOME", "home", "home/dict"),
        ("WNSEARCHDIR", "no", "home/dict"),
        ("WNSEARCHDIR", "mine", "mine"),
        ("WNSEARCHDIR", "mine", inside),
    ):
        monkeypatch.setenv(variable, str(tmp_path / value))
        if not (tmp_path / place).exists():
            shutil.copytree(elsewhere, tmp_path / place)
        assert str(open_wordnet().root) == str(tmp_path / place)
    (tmp_path / inside / "copy").hardlink_to(tmp_path / inside / "data.noun")
    assert str(open_wordnet().root) == str(tmp_path / inside), "hard links are read too"
    assert str(open_wordnet(str(elsewhere)).root) == str(elsewhere)
    # What NLTK downloads is an archive.
    shutil.make_archive(tmp_path / inside, "zip", tmp_path / "nltk_data/corpora", "wordnet")
    shutil.rmtree(tmp_path / inside)
    wordnet = open_wordnet()
    assert str(wordnet.root) == f"{tmp_path / inside}.zip/wordnet/"
    assert wordnet.base_forms("word_processors") == {"n": ["word_processor"]}


@pytest.mark.parametrize(("name", "missing"), [("mine", "data.verb"), ("none", WORDNET_FILES)])
def test_what_lacks_a_file_is_no_wordnet(elsewhere, tmp_path, name, missing):
    (elsewhere / "data.verb").unlink()
    with pytest.raises(BadData) as raised:
        open_wordnet(str(tmp_path / name))
    problem = f"is no WordNet: expected a directory that also holds {missing}"
    assert str(raised.value) == f"{tmp_path / name}: {problem}"


def test_what_is_said_of_damaged_lines_is_what_was_looked_at(tmp_path, looked_at):
    made = "File|its line after the licence|what is said\n"
    for number, row in enumerate(lines_beside(__file__, "damaged.txt")):
        name, *line, _ = row.split("|")
        root = write_wordnet(tmp_path / str(number))
        (root / name).write_text(f"  the licence\n{'|'.join(line)}\n")
        if line == ["gone"]:
            (root / name).unlink()
        with pytest.raises(BadResource) as raised:
            open_wordnet(str(root))
        made += "|".join((name, *line, str(raised.value).replace(str(root), "DIR"))) + "\n"
    assert made == looked_at("damaged.txt", made)


@pytest.fixture(scope="module")
def nltk_wordnet(wordnet, tmp_path_factory):
    """Return NLTK's own reader of the same files, which may lack two that nothing here needs.

    NLTK reads on its data path alone, and WordNet may be elsewhere, or in an archive.
    """
    # If the reader comes first, what its package imports comes back to it half made.
    import nltk.translate.meteor_score
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class Reader(WordNetCorpusReader):
        def open(self, file):
            if file == "lexnames":
                return io.StringIO("".join(f"{number:02d} name -\n" for number in range(45)))
            return io.StringIO((wordnet.root / file).read_text())

        def index_sense(self, version=None):
            return {}

    root = str(tmp_path_factory.mktemp("read_by_nltk"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk.data, "path", [root])
        with pytest.warns(UserWarning, match="multilingual"):
            return Reader(root, omw_reader=None)


def test_lemmas_and_synsets_are_those_of_nltks_own_reader(wordnet, nltk_wordnet):
    lemmas = sorted(nltk_wordnet.all_lemma_names())
    assert wordnet.index.lemmas.splitlines() == lemmas
    lemmas = lemmas[::100]
    endings = ("s", "es", "ies", "ed", "ing", "er", "est", "men", "ves")
    forms = [lemma + ending for lemma in lemmas[::10] for ending in endings]
    irregular = [form for part in "nvar" for form in islice(nltk_wordnet._exception_map[part], 300)]
    for form in [*lemmas, *forms, *irregular, "alabama", "left", "better", "nolemma", ""]:
        for part in "nvar":
            expected = nltk_wordnet._morphy(form, part)
            assert wordnet.base_forms(form).get(part, []) == expected, (form, part)
            synsets = nltk_wordnet.synsets(form, part)
            names = list(map(nltk_wordnet.ss2of, synsets))
            numbers = wordnet.synset_numbers(form, part)
            assert list(map(wordnet.name, numbers)) == names, (form, part)
            for number, synset in zip(numbers, synsets, strict=True):
                assert wordnet.begins_with_capital(number) == synset.lemma_names()[0][:1].isupper()
                # What a place lies in comes before what it is one of.
                found = [*map(wordnet.name, wordnet.hypernyms(number))]
                both = synset.hypernyms(), synset.instance_hypernyms()
                size = len(both[0])
                expected = [{*map(nltk_wordnet.ss2of, above)} for above in both]
                assert [{*found[:size]}, {*found[size:]}] == expected, synset


ABOVE = ("hypernyms", "instance_hypernyms")
NEAR = ("similar_tos", "also_sees", "verb_groups", "attributes", "entailments", "causes")
DERIVED = ("derivationally_related_forms", "pertainyms")
"""The names of pointers in NLTK, of synsets and of lemmas."""

CLASSES = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}


def targets(pointers, those):
    return [target for one in those for name in pointers for target in getattr(one, name)()]


def test_the_concepts_of_a_word_are_those_of_nltk(wordnet, nltk_wordnet):
    """Entries, inflected forms, phrases with hyphens, and words with their place in brackets."""
    lemmas = sorted(nltk_wordnet.all_lemma_names())
    heads = {one[: mark.start()] for one in lemmas for mark in re.finditer("_", one)}
    forms = ["russian", "built-in", "runner-up", "better", "sold", "outback", "wanting", "domestic"]
    # Some word of the synsets of "plenty" has a number of two digits, which are hexadecimal.
    forms += ["plenty", *lemmas[::1500]]

    for form, concept in zip(forms, concepts_of(forms, str(wordnet.root)), strict=True):
        name = form.replace("-", "_")
        parts = [
            (own, part) for part in CLASSES for own in (name, *nltk_wordnet._morphy(name, part))
        ]
        synsets = {entry: nltk_wordnet.synsets(*entry) for entry in parts}
        words = [word for entry in parts for word in nltk_wordnet.lemmas(*entry)]
        senses = {*chain(*synsets.values())}
        derived = {other.synset() for other in targets(DERIVED, words)}
        parents = targets(ABOVE + NEAR, senses)
        expected = {
            "senses": senses,
            "derived": derived,
            "parents": parents,
            "derived_parents": targets(ABOVE + NEAR, derived),
            "grandparents": targets(ABOVE, parents),
        }
        for kind, those in expected.items():
            names = set(map(wordnet.name, numbers_of(concept, kind)))
            assert names == set(map(nltk_wordnet.ss2of, those)), (form, kind)
        best = max(parts, key=lambda entry: len(synsets[entry]))
        word_class = CLASSES[best[1]] if synsets[best] else "name"
        assert WORD_CLASSES[concept.word_class] == word_class, form
        assert concept.starts_multiword == (form in heads), form


# The index


LEMMAS = 200


def require_same(index, other):
    assert index.packed("") == other.packed("")


@pytest.fixture
def large(tmp_path, monkeypatch):
    """Return a WordNet with so many lemmas that its index is kept, in a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(wordnet_index, "LEAST_KEPT", LEMMAS)
    root = write_wordnet(tmp_path / "wordnet")
    with open(root / "index.noun", "a", encoding="utf-8") as stream:
        offset = (root / "data.noun").read_text().splitlines()[1].split()[0]
        stream.writelines(f"word{n:05d} n 1 0 1 0 {offset}\n" for n in range(LEMMAS))
    return root


def kept():
    """Return the files of indexes in the cache."""
    return sorted(cache_folder().glob("wordnet-*.npz"))


def test_an_index_is_made_once(large):
    first = index_of(large)
    # Sizes and times tell whether a file has changed: now nothing of it could be parsed.
    data = large / "data.noun"
    status = data.stat()
    data.write_bytes(b"x" * status.st_size)
    os.utime(data, ns=(status.st_atime_ns, status.st_mtime_ns))
    require_same(index_of(large), first)
    with pytest.raises(BadResource):
        parsed(large)


def make_folder(root, kept):
    """No file replaces a folder."""
    kept.rename(f"{kept}.old")
    kept.mkdir()


CHANGES = {
    "a folder": make_folder,
    "shorter": lambda root, kept: (root / "verb.exc").write_text("sat sit\n"),
    "newer": lambda root, kept: (root / "data.adv").touch(),
    "damaged": lambda root, kept: os.truncate(kept, kept.stat().st_size // 2),
    "of another program": lambda root, kept: np.savez(kept, other=np.arange(3)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_index_is_made_anew_when_it_must(large, change):
    index_of(large)
    (file,) = kept()
    before = file.stat().st_ino
    change(large, file)
    require_same(index_of(large), parsed(large))
    (file,) = kept()
    assert file.stat().st_ino != before


def test_each_folder_has_an_index_of_its_own(large, tmp_path):
    index_of(large)
    index_of(large.rename(tmp_path / "elsewhere"))
    assert len(kept()) == 2
    # Few lemmas are parsed as fast as they are loaded.
    small = write_wordnet(tmp_path / "small")
    assert WordNetReader(small).has_lemma_with("domestic_")
    assert len(kept()) == 2
