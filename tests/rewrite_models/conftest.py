"""The WordNet that is installed on the machine."""

import io

import pytest


@pytest.fixture(scope="session")
def nltk_wordnet(wordnet, tmp_path_factory):
    """Return NLTK's own reader of the same files, which may lack two that nothing here needs.

    NLTK reads on its data path alone, and WordNet may be elsewhere, or in an archive.
    """
    import nltk.data

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
