"""WordNet's reader and its index, entries of texts, trees of synsets, concepts."""

import io
import os
import random
import re
import shutil
from collections import Counter
from itertools import islice
from math import inf

import nltk.data
import numpy as np
import pytest

from corpus_tools.base.arrays import Groups
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
from tests.tiny_corpora import batches, corpus_of, pair, vocabulary_of
from tests.tiny_wordnet import write_wordnet


@pytest.mark.parametrize("seed", range(20))
def test_distances_and_their_histogram_are_those_of_the_chains(seed):
    generator = random.Random(seed)
    chains = [()]
    for node in range(generator.randint(1, 40)):
        chains.append((str(node), *generator.choice(chains)))
    tree = HypernymTree().grown(chains)
    assert tree.numbers([("not in the tree",), None]).tolist() == [-1, -1]
    chains[0] = None
    entries = generator.choices(chains, k=generator.randint(0, 50))
    rows, vocabulary = tree.numbers(chains), tree.numbers(entries)
    expected = [[dist(one, entry, lambda own: own or ()) for entry in entries] for one in chains]
    for row, distances in zip(rows, expected, strict=True):
        found = tree.distances(np.full(len(entries), row), vocabulary).tolist()
        assert found == [-1 if own == inf else own for own in distances]
    histogram = tree.histogram(rows, vocabulary)
    width = range(histogram.shape[1])
    assert histogram.tolist() == [[own.count(steps) for steps in width] for own in expected]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("dog", ["dog", "canine", "entity"]),  # the first hypernym in the file, not the least
        ("Rex", ["Rex", "dog", "canine", "entity"]),  # an instance hypernym
        ("driver 's licenses", ["driver's_license", "entity"]),
        ("picked up", ["take"]),
        ("left", ["left", "entity"]),  # nouns come first
        # Of the ring of "curb" and "rein" the least is the root, wherever one enters.
        ("curb", ["curb"]),
        ("rein", ["rein", "curb"]),
        ("blue", None),
    ],
)
def test_first_senses_of_the_miniature(miniature, entry, expected):
    (senses,) = first_senses([entry], open_wordnet(str(miniature)))
    # The first lemma of each synset; names are as "02084071-n".
    lemmas = {
        f"{line[:8]}-{part[0]}": line.split()[4]
        for part in ("noun", "verb")
        for line in (miniature / f"data.{part}").read_text().splitlines()
    }
    assert (senses and [lemmas[name] for name in senses]) == expected


def test_entries_of_the_miniature(miniature):
    text = "The dogs in Word processors picked up a driver 's license , 1 domestic dog left ."
    text += " Walk up and down again snow geese"
    assert find_entries(text.split(), open_wordnet(str(miniature)), skipped=frozenset({"in"})) == [
        (1, 1, "dogs"),
        (3, 2, "Word processors"),
        (5, 1, "picked"),
        (5, 2, "picked up"),
        (8, 3, "driver 's license"),
        (13, 2, "domestic dog"),
        (14, 1, "dog"),
        (15, 1, "left"),
        (17, 1, "Walk"),
        (17, 4, "Walk up and down"),  # entries of five words are not searched for
        (22, 2, "snow geese"),
    ]


@pytest.mark.parametrize(
    ("path", "problem"), [("none", "cannot go without WordNet"), (" ", "wordnet must be")]
)
def test_the_model_needs_wordnet(path, problem):
    with pytest.raises(BadUsage, match=problem):
        WordNetSettings(wordnet=path)


def test_only_entries_of_training_have_a_sum_that_is_counted(miniature):
    corpus = corpus_of([pair("1", "Rex left", "Rex")])
    model = WordNet.initial(corpus, WordNetSettings(wordnet=str(miniature)))
    new = [pair("2", "rein curb", "curb"), pair("3", "dog", "dog")]
    (batch,) = batches(new, vocabulary_of(new, corpus.batches[0].vocabulary), size=2)
    counts = model.expected_statistics(model.features(batch), np.full(3, 0.5))
    assert (counts["synsets"].sum(), counts["distance"]) == (0.5, 0.0)


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


def test_the_zip_file_that_nltk_downloads_is_opened(elsewhere, tmp_path):
    elsewhere.rename(tmp_path / "wordnet")
    (tmp_path / "nltk_data" / "corpora").mkdir(parents=True)
    archive = tmp_path / "nltk_data" / "corpora" / "wordnet"
    shutil.make_archive(str(archive), "zip", tmp_path, "wordnet")
    wordnet = open_wordnet()
    assert wordnet.base_forms("word_processors") == {"n": ["word_processor"]}
    assert "wordnet.zip" in str(wordnet.root)


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        *((name, r"data\.noun") for name in ("no", "empty", "mine/data.noun")),
        ("mine", r"data\.verb$"),
    ],
)
def test_what_is_no_wordnet_or_lacks_a_file_is_refused(elsewhere, tmp_path, name, missing):
    (tmp_path / "empty").mkdir()
    (elsewhere / "data.verb").unlink()
    with pytest.raises(BadData, match=f"is no WordNet: .*{missing}") as raised:
        open_wordnet(str(tmp_path / name))
    assert raised.value.file == str(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "line", "problem"),
    [
        ("index.verb", "walk v 1 0 one 0 00000034", "'one'"),
        ("index.verb", "walk v 1", "not enough values"),
        ("index.verb", "walk v 2 0 1 0 00000034", "number of senses"),
        ("index.verb", "walk v 0 0 0 0", "number of senses"),
        ("index.verb", "walk v 1 0 1 0 00000003", "no synset at offset 3;"),
        ("data.verb", "00000014 03 v |", "out of range"),
        ("data.verb", "00000035 03 v 01 walk 0 000 | at another", "no synset at offset 14;"),
        ("data.verb", "00000014 03 v 01 walk 0 001 @ 00000003 v 0000 |", "no synset at offset 3;"),
    ],
)
def test_a_damaged_line_is_reported_with_its_file(elsewhere, name, line, problem):
    index = "walk v 1 0 1 0 00000014\n"
    (elsewhere / "index.verb").write_text(index)
    (elsewhere / name).write_text(f"  the licence\n{line}\n")
    with pytest.raises(BadResource, match=problem) as raised:
        open_wordnet(str(elsewhere))
    assert (raised.value.file, raised.value.line) == (str(elsewhere / name), 2)


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
    assert set(wordnet.lemmas()) == set(nltk_wordnet.all_lemma_names())
    lemmas = list(islice(wordnet.lemmas(), 0, None, 100))
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
                # What a place lies in comes before what it is one of.
                found = [*map(wordnet.name, wordnet.hypernyms(number))]
                for above in (synset.hypernyms(), synset.instance_hypernyms()):
                    own, found = found[: len(above)], found[len(above) :]
                    assert {*own} == {*map(nltk_wordnet.ss2of, above)}, synset
                assert not found


ABOVE = ("hypernyms", "instance_hypernyms")
NEAR = ("similar_tos", "also_sees", "verb_groups", "attributes", "entailments", "causes")
DERIVED = ("derivationally_related_forms", "pertainyms")
"""The names of pointers in NLTK, of synsets and of lemmas."""


def targets(pointers, those):
    return [target for one in those for name in pointers for target in getattr(one, name)()]


def test_the_concepts_of_a_word_are_those_of_nltk(wordnet, nltk_wordnet):
    """Entries, inflected forms, phrases with hyphens, and words with their place in brackets."""
    lemmas = sorted(nltk_wordnet.all_lemma_names())
    heads = {one[: mark.start()] for one in lemmas for mark in re.finditer("_", one)}
    forms = ["russian", "built-in", "runner-up", "better", "sold", "outback", "wanting", "domestic"]
    forms += lemmas[::1500]

    for form, concept in zip(forms, concepts_of(forms, str(wordnet.root)), strict=True):
        senses, derived, sizes = set(), set(), Counter()
        name = form.replace("-", "_")
        for part in "nvar":
            for lemma in (name, *nltk_wordnet._morphy(name, part)):
                synsets = nltk_wordnet.synsets(lemma, part)
                sizes[part] = max(sizes[part], len(synsets))
                senses |= {*synsets}
                own = [w for one in synsets for w in one.lemmas() if w.name().lower() == lemma]
                derived |= {other.synset() for other in targets(DERIVED, own)}
        parents = targets(ABOVE + NEAR, senses)
        expected = {
            "senses": senses,
            "derived": derived,
            "parents": parents,
            "derived_parents": targets(ABOVE + NEAR, derived),
            "grandparents": targets(ABOVE, parents),
        }
        for kind, synsets in expected.items():
            names = set(map(wordnet.name, numbers_of(concept, kind)))
            assert names == set(map(nltk_wordnet.ss2of, synsets)), (form, kind)
        (part, most), *_ = sizes.most_common(1)
        classes = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
        assert WORD_CLASSES[concept.word_class] == (classes[part] if most else "name"), form
        assert concept.starts_multiword == (form in heads), form


def test_what_is_only_a_name(wordnet):
    forms = ("sussex", "tolstoy", "nosuchword", "brown", "table")
    assert [form for form in forms if wordnet.is_proper_only(form)] == [*forms[:3]]


# The index


LEMMAS = 200


def bytes_of(index):
    """Return all that an index has, as bytes."""
    return index.packed("")


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
    (file,) = kept()
    with np.load(file, allow_pickle=False) as arrays:
        assert {array.dtype.kind for array in arrays.values()} <= set("biu")
    # Sizes and times tell whether a file has changed: now nothing of it could be parsed.
    data = large / "data.noun"
    status = data.stat()
    data.write_bytes(b"x" * status.st_size)
    os.utime(data, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert bytes_of(index_of(large)) == bytes_of(first)
    with pytest.raises(BadResource):
        parsed(large)


CHANGES = {
    "shorter": lambda root, kept: (root / "verb.exc").write_text("sat sit\n"),
    "newer": lambda root, kept: (root / "data.adv").touch(),
    "damaged": lambda root, kept: os.truncate(kept, kept.stat().st_size // 2),
    "empty": lambda root, kept: os.truncate(kept, 0),
    "of another program": lambda root, kept: np.savez(kept, other=np.arange(3)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_index_is_made_anew_when_it_must(large, change):
    index_of(large)
    (file,) = kept()
    before = file.stat().st_ino
    change(large, file)
    assert bytes_of(index_of(large)) == bytes_of(parsed(large))
    assert [path.stat().st_ino for path in kept()] != [before]
    assert len(kept()) == 1


def test_each_folder_has_an_index_of_its_own(large, tmp_path):
    index_of(large)
    index_of(large.rename(tmp_path / "elsewhere"))
    assert len(kept()) == 2
    # Few lemmas are parsed as fast as they are loaded.
    small = write_wordnet(tmp_path / "small")
    assert WordNetReader(small).has_lemma_with("domestic_")
    assert len(kept()) == 2


def test_a_cache_that_cannot_be_written_costs_only_time(large):
    index_of(large)
    (file,) = kept()
    file.unlink()
    # No file replaces a folder.
    file.mkdir()
    assert bytes_of(index_of(large)) == bytes_of(parsed(large))
    assert kept() == [file]


def test_groups_are_joined_with_their_owners():
    """Each number of an owner is there once."""
    groups = Groups.of([[3, 1], [], [1, 1, 2]])
    assert [*map(groups.group, range(3))] == [[3, 1], [], [1, 1, 2]]
    rows = groups.joined(np.array([0, 5, 5, 5]), np.array([0, 2, 1, 0]))
    assert [row.tolist() for row in rows] == [[0, 0, 5, 5, 5], [1, 3, 1, 2, 3]]
