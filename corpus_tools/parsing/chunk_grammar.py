BASE = r"""
NPp: {<D|Q>?<A|C>*<N|Nd|Nt>+<Pos>}
NPp: {<NPp><A|C>*<N>+<Pos>}
NP: {<F>*<C>*<Q>?<D|NPp><R>?<At>?<C|A|Vn.?|Vg.?|N>*<N|Nt>+%NUMBER%TWIN}
NPt: {<At><Nt>}
     {<At>?<Nd><Nt|C>*}
NPs: {<Ps>}
NP: {<F>*<C>*<Q><R>?<C|A|N>*<N|Nt>+%NUMBER%TWIN}
    {<F>*<C|A>*(<Com><A>)*<C|A|N>*<N|Nt>+%NUMBER%TWIN}
    {<F>*<C|A>+<And><C|A>+<N|Nt>+}
    {<D|F>*<P>}
    {<F>*<C>+}
    {<D><R>?<C|A>+}
    {<F>*<Q|At>}
    {<NPp>}
PRN: {<L><.*>*<E>}
NP: {^<NP><PRN>}
ADJP: {<R|F>*<A>(<And><R>*<A>)?}
ADVP: {<R|F>+}
PP: {<Prt><Of><NP>}
PP: {^<I|In><NP|NPt>(?=<Com|NPs>)}
VPv: <Com>{<Vfv>}<NP>(?!<%FIN|ADVP>)
"""
LOOP = r"""
NP: {<NP>(<Com><NP>)+<Com>?<And><NP>}
NP: ^{<NP><And><NP>}<%FIN>
    <That|Sub|Com|Vfs>{<NP><And><NP>}<%FIN>
    {<NP><And><NP>(?!<%FIN|ADVP|To>)}
NP: {<NP><VPn|VPg>}
NP: {<NP><Com><VPn|VPg|NP|NPt|PP.?><Com>(?=<%FIN|VPf>)}
    {<NP>(<Com><NP>)+(?=<Stop>|$)}
NP: {<NP><Com>?<SBARr><Com>?(?=<%FIN|VPf>)}
    {<NP><SBARr>}
    {<NP><Com><SBARr><Com>?}
NP: <Vf|Vi|Vg|Vn|Bf|Bi|Hf|Hi|Hn>{<NP><SBARt>}
PPo: {<Of><NP|NPt|Sg>(?!<Of>%POST)}
NP: {<NP><PPo>}
PPn: {<In><NP|NPt|Sg>(?!<In|Of>%POST)}
NP: {<NP><PPn>}
PP: ^<I|In><NP>{<I|In><NP|Sg>(?!<In|Of>%POST)}
NP: ^<I|In>{<NP><PP>}
PP: {<Iw>?<I><NP|NPt|Sg>(?!<In|Of>%POST)}
    {<Is><NP|NPt|Sg>(?!<In|Of|%FIN>%POST)}
    {<I|Is><ADVP>}
    {<Is><NP>(?=<Stop|Com>|$)}
PP: {<I><PP>}
    {<PP.?><And><PP.?>}
NP: {<NP><PP.?>+(?=<%FIN>)}
    ^<I|In>{<NP><PP.?>+}<Com>
    <Hf|Hi|Hg|Bf|Bi>{<NP><PP.?>+}
PP: {^<I|In><NP>(?=<Com>)}
NP: {<NP><St>(?=<%FIN|VPf>)}
ADJP: {<ADJP><St|SBARt|PPo|PP>}
VPn: {<Bn><ADVP|Not>*<VPn|VPg>}
VPg: {<Bg><ADVP|Not>*<VPn>}
     {<Hg><ADVP|Not>*<VPn>}
VPi: {<Bi><ADVP|Not>*<VPn|VPg>}
     {<Hi><ADVP|Not>*<VPn>}
VPf: {<Bf><ADVP|Not>*<VPn|VPg>}
     {<Hf><ADVP|Not>*<VPn>}
VPn: {<Vn.?|Bn|Hn>%ARGS%TAIL%END}
     {<Vn.?><Prt|ADVP|PP.?|NPt>*(?=<%FIN>)}
VPi: {<Vi.?|Bi|Hi>%ARGS%TAIL%END}
VPg: {<Vg.?|Bg|Hg>%ARGS%TAIL%END}
     {<Vg.?>%ARGS(?=<%FIN>)}
VPf: {<Vf.?|Bf|Hf>%ARGS%TAIL%END}
VPf: <Who|That>{<Vf.?|Bf|Hf>%ARGS}<%FIN>
     {<Vf>}(?=<%FIN>)
VPi: {<VPi>(<Com><VPi>)*<Com>?<And|But><VPi>}
VPf: {<M|Df><ADVP|Not>*<VPi>(?!%ANDV)}
VPt: {<To><ADVP>?<VPi>(?!%ANDV)}
St: <V.w>{<NP><VPt>}
    <Vf.?|Vi.?|Vg.?|Vn.?>{<NP><VPi>}
    {<VPt>}
VPg: {<VPg>(<Com><VPg>)*<Com>?<And><VPg>}
Sg: {<VPg>(?!%ANDV)}
VPf: {<VPf>(<Com><VPf>)*<Com>?<And|But><ADVP>?<VPf>}
Sr: <Who>{<VPf>(?!%ANDV)}
SBARr: {<I|In>?<Who><Sr>}
Sf: {<NP|NPs>(<Com>?<ADVP>)*<Com>?<VPf>(?!%ANDV)}
Sq: {<M|Df><NP|NPs><ADVP|Not>*<VPi>}
SBARt: {<That><Sf>}
SBARq: {<I|In>?<Why|Who><Sf>}
SBARs: {<Sub|Is><Sf>}
SBARz: <V.[sv]><NP|NPt|PP>*{<Sf>}
SBARr: <NP>{<Sf>}<%FIN>
       <I.?|Of|V..?|B.|H.|Not|ADVP|Prt><NP>{<Sf>}
"""
TOP = r"""
PP: {<I|Is|In|Of|Sub><NP|NPt>}
Sn: ^{<VPn>}<Com>
Sf: ^{<VPf>}<Stop|Col>
Sx: {^<SBAR.|PP.?|ADVP|NP|NPt|St|Sg|Sn|And|But|Com|Why|Who>+<Sf|Sq>}
Sx: {<Com><PP|ADVP><Com>?<Sf>}
Sx: {<Sf|Sx><Com><VPv><NP>}
    {<Sf|Sx><Com><Sf>}
S: {<Sf|Sx>(<Com>?<And|But|Col><Sf|Sx>)+}
"""
MACROS = {
    "%NUMBER": "(<C>(?!<N|Nt|A|C>)(<Com><C>)?)?",
    "%TWIN": "(<And><N>(?!<N|Pos|%FIN>))?",
    "%FIN": "Vf.?|M|Bf|Hf|Df",
    "%POST": "|<Com>?<Who>|<Vn.?|Vg.?|VPn|VPg|NPs>|<Com><NP>(?=<Com|Stop>)",
    "%ARGS": "<NP|NPt|PP|PPn|PPo|ADVP|Prt|ADJP|SBARt|SBARq|SBARr|SBARz|St|Sg|Not>*",
    "%TAIL": "(<Com>?<SBARs>)?(<Com><Sg|PP.?|SBARq|NPt>)*",
    "%END": "(?=<Com>(?!<Sub|Vg.?|VPg|Sg|SBAR.|Who|Why|I|PP.?>|<NP><Com|Stop>)|<Col|Stop|And|But|E>|$)",
    "%ANDV": "<Com>?<And|But><ADVP|Not>*<Vf.?|M|Bf|Hf|Df|Vi.?|Vg.?|Vn.?|VP.>",
}
def expand(t):
    for k,v in MACROS.items(): t=t.replace(k,v)
    return t
RELAXED = expand(LOOP.replace("%END","").replace("%POST","").replace("(?!%ANDV)",""))
BASE,LOOP,TOP=map(expand,(BASE,LOOP,TOP))
