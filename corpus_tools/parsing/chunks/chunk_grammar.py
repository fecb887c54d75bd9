"""Holds the cascaded grammar of the parser ``chunks``.

It gives Penn-like trees over the classes of ``chunk_classes``. The rules are those of
``nltk.RegexpParser``: a stage groups top-level pieces under its label, one rule after the other.
The capitals of a label are the category; small letters tell the grammar more:

    NPt    a time (last year)       NPs    a subject pronoun
    NPp    a possessor (the firm 's)
    PPo    of ...                   PPn    modifies the noun before it
    VPf    finite                   VPi    infinitive
    VPt    to + infinitive          VPg    -ing
    VPn    participle               VPv    an inverted verb (, said Smith)
    Sf     finite clause            Sq     question
    St, Sg, Sn, Sr                         over VPt, VPg, VPn, VPf
    SBARt  that ...                 SBARr  relative clause
    SBARq  where ..., what ...      SBARs  while ..., if ...
    SBARz  without a conjunction    Sx     takes its last S apart

English branches to the right, so a phrase may close only when nothing that belongs to it is still
open on its right. The strict stages see to that by looking ahead; they run until nothing changes.
Where no strict stage applies, one relaxed stage (without looking ahead) closes something, and the
strict ones go on. The rules were tuned by hand on tests/golden/brackets-tuned.penn, never on
brackets-held-out.penn.
"""

from __future__ import annotations

GUARDS = {
    # A noun phrase is still to be extended: a relative clause, a participle, an apposition.
    "%OPEN": "|<Com>?<Who>|<Vn.?|Vg.?|VPn|VPg|NPs>|<Com><NP>(?=<Com|Stop>)",
    # A verb phrase ends here: at punctuation or a conjunction, unless more of it is announced.
    "%END": (
        "(?=<Com>(?!<Sub|Vg.?|VPg|Sg|SBAR.|Who|Why|I|PP.?>|<NP><Com|Stop>)|<Col|Stop|And|But|E>|$)"
    ),
    # No conjunction joins a second verb phrase.
    "%ALONE": "(?!<Com>?<And|But><ADVP|Not>*<Vf.?|M|Bf|Hf|Df|Vi.?|Vg.?|Vn.?|VP.>)",
}
"""Macros that look ahead. The relaxed stages leave them out."""

MACROS = {
    "%ARGUMENTS": "<NP|NPt|PP|PPn|PPo|ADVP|Prt|ADJP|SBAR[tqrz]|St|Sg|Not>*",
    "%ADJUNCTS": "(<Com>?<SBARs>)?(<Com><Sg|PP.?|SBARq|NPt>)*",
    # "ISS Progress 59", "May 28 , 2014"
    "%NUMBER": "(<C>(?!<N|Nt|A|C>)(<Com><C>)?)?",
    # "food and medicine", but not "... food and police said"
    "%TWIN": "(<And><N>(?!<N|Pos|%FINITE>))?",
    # Last, because others use it.
    "%FINITE": "Vf.?|M|Bf|Hf|Df",
}

BASE = r"""
NPp:   {<D|Q>?<A|C>*<N|Nd|Nt>+<Pos>}
       {<D><A>+<Pos>}
NPp:   {<NPp><A|C>*<N>+<Pos>}
NP:    {<F>*<C>*<Q>?<D|NPp><R>?<At>?<C|A|Vn.?|Vg.?>*<C|A|N>*<N|Nt>+%NUMBER%TWIN}
NPt:   {<At><Nt>}
       {<At>?<Nd><Nt|C>*}
NPs:   {<Ps>}
NP:    {<F>*<C>*<Q><R>?<C|A|N>*<N|Nt>+%NUMBER%TWIN}
       {<F>*(<C|A>+(<Com><A>)*)?<C|A|N>*<N|Nt>+%NUMBER%TWIN}
       {<F>*<C|A>+<And><C|A>+<N|Nt>+}
       {<D|F>*<P>}
       {<F>*<C>+}
       {<D><R>?<C|A>+}
       {<F>*<Q|At>}
       {<NPp>}
PRN:   {<L><.*>*?<E>}
NP:    {^<NP><PRN>}
ADJP:  {<R|F>*<A>(<And><R>*<A>)?}
ADVP:  {<R|F>+}
PP:    {<Prt><Of><NP>}
PP:    {^<I|In><NP|NPt>(?=<Com|NPs>)}
VPv:   <Com>{<Vfv>}<NP>(?!<%FINITE|ADVP>)
"""

LOOP = r"""
# Coordination, participles, appositions, relative clauses and clauses of content in a noun phrase
NP:    {<NP>(<Com><NP>)+<Com>?<And><NP>}
NP:    ^{<NP><And><NP>}<%FINITE>
       <That|Sub|Com|Vfs>{<NP><And><NP>}<%FINITE>
       {<NP><And><NP>(?!<%FINITE|ADVP|To>)}
NP:    {<NP><VPn|VPg>}
NP:    {<NP><Com><VPn|VPg|NP|NPt|PP.?><Com>(?=<%FINITE|VPf>)}
       {<NP>(<Com><NP>)+(?=<Stop>|$)}
NP:    {<NP><Com>?<SBARr><Com>?(?=<%FINITE|VPf>)}
       {<NP><SBARr>}
       {<NP><Com><SBARr><Com>?}
NP:    <Vf|Vi|Vg|Vn|Bf|Bi|Hf|Hi|Hn>{<NP><SBARt>}

# Prepositional phrases, the innermost first, and those that belong to a noun
PPo:   {<Of><NP|NPt|Sg|SBAR[qr]>(?!<Of>%OPEN)}
NP:    {<NP><PPo>}
PPn:   {<In><NP|NPt|Sg>(?!<In|Of>%OPEN)}
NP:    {<NP><PPn>}
PP:    ^<I|In><NP>{<I|In><NP|Sg>(?!<In|Of>%OPEN)}
NP:    ^<I|In>{<NP><PP>}
PP:    {<Iw>?<I><NP|NPt|Sg>(?!<In|Of>%OPEN)}
       {<Is><NP|NPt|Sg>(?!<In|Of|%FINITE>%OPEN)}
       {<I|Is><ADVP>}
       {<Is><NP>(?=<Stop|Com>|$)}
PP:    {<I><PP>}
       {<PP.?><And><PP.?>}
NP:    {<NP><PP.?>+(?=<%FINITE>)}
       ^<I|In>{<NP><PP.?>+}<Com>
       <Hf|Hi|Hg|Bf|Bi>{<NP><PP.?>+}
PP:    {^<I|In><NP>(?=<Com>)}
NP:    {<NP><St>(?=<%FINITE|VPf>)}
ADJP:  {<ADJP><St|SBARt|PPo|PP>}

# Auxiliaries, then verbs with all that follows them
VPi:   {<VPi>(<Com><VPi>)*<Com>?<And|But><VPi>}
VPf:   {<M|Df><ADVP|Not>*<VPi>%ALONE}
VPn:   {<Bn><ADVP|Not>*<VPn|VPg>}
VPg:   {<Bg|Hg><ADVP|Not>*<VPn>}
VPi:   {<Bi><ADVP|Not>*<VPn|VPg>}
       {<Hi><ADVP|Not>*<VPn>}
VPf:   {<Bf><ADVP|Not>*<VPn|VPg>}
       {<Hf><ADVP|Not>*<VPn>}
Sg:    {<VPg>%ALONE}
VPn:   {<Vn.?|Bn|Hn>%ARGUMENTS%ADJUNCTS%END}
       {<Vn.?><Prt|ADVP|PP.?|NPt>*(?=<%FINITE>)}
VPi:   {<Vi.?|Bi|Hi>%ARGUMENTS%ADJUNCTS%END}
VPg:   {<Vg.?|Bg|Hg>%ARGUMENTS%ADJUNCTS%END}
       {<Vg.?>%ARGUMENTS(?=<%FINITE>)}
VPf:   {<Vf.?|Bf|Hf>%ARGUMENTS%ADJUNCTS%END}
VPf:   <Who|That>{<Vf.?|Bf|Hf>%ARGUMENTS}<%FINITE>
       {<Vf>(?=<%FINITE>)}
VPt:   {<To><ADVP>?<VPi>%ALONE}
VPg:   {<VPg>(<Com><VPg>)*<Com>?<And><VPg>}
VPf:   {<VPf>(<Com><VPf>)*<Com>?<And|But><ADVP>?<VPf>}

# Clauses
St:    <V.w>{<NP><VPt>}
       <V.b>{<NP><VPi>}
       {<VPt>}
Sr:    <Who>{<VPf>%ALONE}
SBARr: {<I|In>?<Who><Sr>}
Sf:    {<NP|NPs>(<Com>?<ADVP>)*<Com>?<VPf>%ALONE}
Sq:    {<M|Df><NP|NPs><ADVP|Not>*<VPi>}
SBARt: {<That><Sf>}
SBARq: {<I|In>?<Why|Who><Sf>}
       {<Why|Who><St>}
SBARs: {<Sub|Is><Sf>}
SBARz: <V.[sv]><NP|NPt|PP>*{<Sf>}
SBARr: <NP>{<Sf>}<%FINITE>
       <I.?|Of|V..?|B.|H.|Not|ADVP|Prt><NP>{<Sf>}
"""

TOP = r"""
PP:    {<I|Is|In|Of|Sub><NP|NPt>}
Sn:    ^{<VPn>}<Com>
Sf:    ^{<VPf>}<Stop|Col>
Sx:    {^<SBAR.|PP.?|ADVP|NP|NPt|St|Sg|Sn|And|But|Com|Why|Who>+<Sf|Sq>}
Sx:    {<Com><PP|ADVP><Com>?<Sf>}
S:     {<Sf|Sx><Com><VPv><NP>}
Sx:    {<Sf|Sx><Com><Sf>}
S:     {<Sf|Sx>(<Com>?<And|But|Col><Sf|Sx>)+}
"""
