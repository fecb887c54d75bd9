"""Reads the text of subtitles: SubRip (SRT) and WebVTT."""

import re

SUBTITLE_ENDINGS = (".srt", ".vtt")
"""The endings of the names of files with subtitles."""

CUE_TIMES = re.compile(r"\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->.*")
"""The line with the times of a cue."""

BLOCK_START = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)(?:\s|$)")
"""The beginning of a block of WebVTT without text."""

VOICE_TAG = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^<>]+)>")
"""The speaker of a cue."""

ANY_TAG = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")

NEW_SPEAKER = re.compile(r"(?:[-\u2013\u2014]\s*(?=\S))")


def text_of_subtitles(subtitles: str) -> str:
    """Return the text of subtitles, without numbers, times and tags.

    Cues are joined by blanks, since sentences go on over several. A speaker begins a line: a dash
    at the beginning of a line, or a voice, which becomes "Ann: ...".
    """
    spoken: list[str] = []
    for block in re.split(r"\n[^\S\n]*\n", subtitles.replace("\r\n", "\n").lstrip("\ufeff")):
        lines = block.strip().split("\n")
        times = next((n for n, line in enumerate(lines) if CUE_TIMES.match(line)), None)
        if times is None and (BLOCK_START.match(lines[0]) or len(lines) == 1):
            continue
        for line in lines if times is None else lines[times + 1 :]:
            voice = VOICE_TAG.search(line)
            text = " ".join(ANY_TAG.sub("", line).split())
            is_new = voice is not None or NEW_SPEAKER.match(text) is not None
            name = f"{voice[1].strip()}: " if voice else ""
            # Captions of speech repeat the line before.
            if text and (not spoken or spoken[-1].strip() != text):
                spoken.append(f"{chr(10) if is_new else ' '}{name}{text}")
    return "".join(spoken).strip()
