"""What the CLDR and num2words do not write: halves, shares, short forms, inflected ordinals."""

import pytest

from tests.semihmm.applications.support.test_kinds import read

HALVES = """
en|two and a half million people|2500000 in steps of 100000
en|a million and a half people|1500000 in steps of 100000
en|two hours and a half|2.5 hour in steps of 0.1
de|anderthalb Millionen Menschen|1500000 in steps of 100000
de|zweieinhalb Stunden|2.5 hour in steps of 0.1
fr|deux millions et demi de personnes|2500000 in steps of 100000
es|dos millones y medio de personas|2500000 in steps of 100000
es|tres horas y media|3.5 hour in steps of 0.1
it|due milioni e mezzo di euro|2500000 EUR in steps of 100000
pt|dois milhões e meio de pessoas|2500000 in steps of 100000
ca|dos milions i mig|2500000 in steps of 100000
nl|anderhalf miljoen mensen|1500000 in steps of 100000
nl|tweeënhalf uur|2.5 hour in steps of 0.1
sv|två och en halv miljon|2500000 in steps of 100000
nb|to og en halv million|2500000 in steps of 100000
da|halvanden million|1500000 in steps of 100000
ru|полтора миллиона человек|1500000 in steps of 100000
ru|два с половиной миллиона человек|2500000 in steps of 100000
uk|два з половиною мільйони|2500000 in steps of 100000
pl|półtora miliona|1500000 in steps of 100000
pl|dwa i pół miliona|2500000 in steps of 100000
cs|dva a půl milionu|2500000 in steps of 100000
tr|iki buçuk milyon kişi|2500000 in steps of 100000
hu|két és fél millió|2500000 in steps of 100000
fi|puolitoista miljoonaa|1500000 in steps of 100000
el|δυόμισι εκατομμύρια|2500000 in steps of 100000
ar|مليون ونصف|1500000 in steps of 100000
fa|دو و نیم میلیون|2500000 in steps of 100000
hi|साढ़े तीन लाख|350000 in steps of 10000
ur|ڈھائی لاکھ|250000 in steps of 10000
id|dua setengah juta orang|2500000 in steps of 100000
vi|hai triệu rưỡi|2500000 in steps of 100000
th|สองล้านครึ่ง|2500000 in steps of 100000
ja|2時間半かかった|2.5 hour in steps of 0.1
zh|花了三年半|3.5 year in steps of 0.1
"""  # noqa: RUF001 (other scripts)

SHARES = """
en|one in four people|0.25 fraction in steps of 0.01
en|four out of five farmers|0.8 fraction in steps of 0.01
fr|trois sur quatre|0.75 fraction in steps of 0.01
es|uno de cada cuatro|0.25 fraction in steps of 0.01
pt|um terço dos agricultores|0.333333333333333 fraction in steps of 0.01
it|un terzo dei contadini|0.333333333333333 fraction in steps of 0.01
ru|Половина жителей деревни|0.5 fraction in steps of 0.01
cs|třetina obyvatel|0.333333333333333 fraction in steps of 0.01
"""


SHORT = """
en|an hour and a half|1.5 hour in steps of 0.1
es|una hora y media|1.5 hour in steps of 0.1
en|the summer of '98|1998 exactly
en|a loss in Q1 2021|1 exactly; 2021 exactly
en|exports in 2013/14|2013 to 2014 exactly
en|5 pct of it|5 percent
en|5 ft 9 in|5.75 foot in steps of 0.0833333333333333
en|a balance of -£250|-250 GBP in steps of 10
en|Call +1-202-555-0142|1; 202; 555; 142
"""

ORDINALS = """
de|am dritten Tag|3 exactly
ru|третье место|3 exactly
pl|trzecia próba|3 exactly
es|la tercera carrera|3 exactly
ar|المركز الثالث|3 exactly
"""


ROWS = [row.split("|") for row in (HALVES + SHARES + SHORT + ORDINALS).splitlines() if row]


@pytest.mark.parametrize(("code", "text", "normal"), ROWS)
def test_what_no_table_writes_is_read(code, text, normal):
    assert read(code, text) == normal


@pytest.mark.parametrize("text", ["killed two in 2019", "it sold 3 in 5 days"])
def test_what_is_no_share_is_not_read_as_one(text):
    assert "fraction" not in read("en", text)
