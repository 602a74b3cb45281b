"""Phrases that announce an answer, in the languages models answer in."""

from __future__ import annotations

import re

# Followed by a colon, a verb, or the answer itself.
_ANSWER = (
    r"answers?|antwort|lösung|réponse|reponse|respuesta|risposta|resposta|antwoord|svar|vastaus|odpowiedź|odpověď"
    r"|válasz|răspuns|cevap|yanıt|jawaban|đáp án|trả lời|ответ|відповідь|απάντηση|الإجابة|الجواب|إجابة|پاسخ|جواب"
    r"|תשובה|उत्तर|উত্তর"
)
_UNSPACED_ANSWER = (
    "答案|正解|答え|解答|回答|正确选项|正確選項|正确的是|正確的是|应选|應選|选择|選擇|答[:：]|정답|답변|답은|답:|คำตอบ"
)
# Nouns that are ordinary words too: a cue only with a colon, else a conclusion (below).
_NOUN = (
    r"label|class|classification|sentiment|prediction|verdict|category|relation|relationship|judge?ment|conclusion"
    r"|result|output|decision|selection|option|choice|urteil|ergebnis|résultat|resultado"
)
_PICK = (
    r"(?:i|i'd|i'll|i would|i will|i'm|we|let's|let me|to|and|so|would|must|should|will)"
    r"(?: \w{1,12}){0,2} (?:choose|choosing|pick|select|selecting|go with|going with|opt for|vote for|settle on)"
)
_CORRECTION = r"actually|wait|hold on|correction|rather|instead|i meant?|no|sorry|oops|scratch that"

STRONG = re.compile(
    rf"(?<![\w/])(?:(?P<answer>{_ANSWER})|(?:{_NOUN})['\"*`]{{0,3}} ?(?P<colon>[:：=])|(?P<pick>{_PICK})"
    rf"|(?P<correction>(?:{_CORRECTION})(?:[,:;.…!]{{1,3}} ?(?:(?:it's|it is|that's|that is|make that|the|no),?"
    rf" ?){{0,2}}|[ ](?:it's|it is) )))(?!\w)"
    rf"|(?P<unspaced>{_UNSPACED_ANSWER})|(?P<boxed>\\boxed ?(?=\{{))",
    re.IGNORECASE,
)
NOT_THE_ANSWER = re.compile(
    r"\b(?:incorrect|wrong|false|other|possible|impossible|eliminated|rejected|no) $", re.IGNORECASE
)
WEAK = re.compile(
    rf"\b(?:{_NOUN})['\"*`]{{0,3}} (?:is|would be|should be|must be|ist|est|es|é|è)\b"
    r"|\b(?:classif(?:y|ied)|categori[sz]ed?|labell?ed|considered|rated?|regarded)\b(?: \w{1,15}){0,4} as\b"
    r"|\b(?:therefore|thus|hence|overall|in conclusion|in summary|to sum up|to conclude|ultimately|in the end|so"
    r"|all in all|finally|daher|folglich|insgesamt|donc|en conclusion|por lo tanto|en conclusión|portanto|quindi|dus"
    r"|поэтому|итак)\b,?|因此|所以|总之|總之|したがって|よって|따라서",
    re.IGNORECASE,
)

# What may stand between a cue and its answer. Bounded, so that reading it costs the same for every cue.
_DECORATION = r"[ \n:：=\"'*`_(\[{「『【《（$>#\-–—]|\\(?:text|textbf|mathrm|mathbf|boxed|bf|rm)\b"
_FILLER = (
    r"(?:is|are|was|be|would|should|must|will|has|to|the|my|your|final|correct|right|best|option|choice|choose|letter"
    r"|label|number|clearly|definitely|most|likely|probably|therefore|thus|indeed|simply|here|both|either|remains|becomes|a"
    r"|ist|lautet|est|la|le|el|es|é|è|är|er|adalah|là|opción|opção|lettre|letra|buchstabe|alternativa|correcta|correta"
    r"|que|die|der|هو|هي)(?=[ \n:：*\"'`(\[])|'s(?= )"
)
_PARTICLE = "选项|選項|选择|選擇|应该是|應該是|应为|應為|就是|是|为|為|选|選|は|が|こそ|은|는|이|가|คือ"
HEAD_STEP = re.compile(rf"{_DECORATION}|(?<!\w)(?:{_FILLER})|{_PARTICLE}", re.IGNORECASE)
MOST_STEPS = 24

SAYS = re.compile(
    r"(?:(?:\b(?:option|choice|alternative|letter|answer|number|is|are|was|be|but|rather|instead|choose|chose|pick"
    r"|select|with|say|as|therefore|thus|so|hence|probably|likely|definitely|think|believe|guess|opt for|vote for"
    r"|antwort|buchstabe|ist|sondern|est|mais|lettre|es|sino|opción|é|mas|opção|è|är|adalah|là)\b|'s\b"
    r"|选项|選項|選択肢|选|選|是|为|為|은|는|は|->|→|[=:：])"
    r" ?(?:the|option|choice|letter|la|le|die|das|der|el|lettre|letra|a|o|l')?)[ \"'*`_(\[{「『【（$]{0,4}$",
    re.IGNORECASE,
)
IS_RIGHT = re.compile(
    r"[)\]}\"'*`」』]{0,3} (?:is|are|would be|must be|seems?|looks?|fits?|ist|est|es|é) ?(?:the |both |clearly "
    r"|definitely |la |le |a ){0,2}(?:correct|right|true|answer|best|only|most|richtig|correct[ae]|bonne|one\b)"
    r"|是[正对對](?:[确確]的?)?|が正解|이 정답",
    re.IGNORECASE,
)
# What may follow a letter that could be a word: "A because it floats" answers, "A careful reading" does not.
GOES_ON = re.compile(
    r" (?:because|since|as|is|was|are|and|or|but|due|for|would|seems|fits|if|when|while|follows|rather|not|weil|ist"
    r"|und|oder|car|est|et|ou|porque|es|é|y|e)\b",
    re.IGNORECASE,
)
ENDS = re.compile(r"[ ]?(?:$|[^\w\s'+#$%&°/\\-])|[ ]?[\n/&+]| [-–—] |[–—-]+ |\\")
NEXT_WORD = re.compile(r" [a-zA-ZÀ-ɏ]")
IS_VERB = re.compile(
    r"[)\]\"'*`]{0,3} (?:is|was|has|does|can|could|would|will|isn't|doesn't|states|says)\b", re.IGNORECASE
)
ADJACENT = re.compile(r"[ )\]}\"'*`.:,(\[{–—-]{1,6}")
REFUSAL = re.compile(
    r"\b(?:cannot|can't|can not|sorry|unable|unclear|unknown|unsure|not sure|uncertain|don't|do not|none|n/a|refuse"
    r"|decide|error|undefined|apologi\w+|need|no answer|insufficient|無|不知道|不能)\b|无法|無法|わかりません|抱歉",
    re.IGNORECASE,
)
