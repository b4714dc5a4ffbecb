"""Short texts in two languages with planted near-duplicates, the same for the same seed."""

from __future__ import annotations

import random
from typing import Literal

Language = Literal["en", "zh"]
PLANTED = 0.2
"""Share of texts that are an earlier one, edited."""

EN = {
    "who": "My sister|Our neighbour|The caretaker|A friend from work|My uncle|The club secretary|Grandma|"
    "Our landlord|The new trainee|My flatmate|The choir director|A cousin of mine|The baker|Dad|The coach",
    "thing": "folding table|tin of paint|box of tiles|bag of flour|garden hose|pair of curtains|bookshelf|"
    "crate of apples|bicycle pump|roll of carpet|sewing machine|stack of chairs|camping stove|wardrobe|lamp|"
    "box of candles|piano stool|watering can|sack of gravel|kite|toolbox|bread oven|fish tank|rug|drum kit",
    "place": "town hall|harbour|allotment|school gym|cellar|market square|roof terrace|railway station|"
    "library|boathouse|chapel|riverside path|community kitchen|back yard|sports ground|attic|car park|mill",
    "verb": "carry|paint|move|wrap|repair|borrow|return|measure|clean|load|sell|lend|hang up|"
    "take apart|store",
    "day": "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|the day after tomorrow|next week|May",
    "unit": "kg|m|litres|minutes|euros|hours|cm|people|trips|km",
    "how": "by bus|on foot|with the van|in one go|after lunch|before breakfast|by bicycle|without help|alone",
}
EN_FRAMES = (
    "{who} wants to {verb} a {thing} at the {place} on {day}.",
    "It takes about {n} {unit} and costs {n} euros.",
    "From the {place} to the {place} it is {n} km, and we go {how}.",
    "There are {n} of us, and {who} joins at {h}:{m}.",
    "I have a {thing}, a {thing} and {n} {unit} of string to work with.",
    "How many {unit} should I plan for the {thing}?",
    "Last time {who} needed {n} {unit} for the same {thing}.",
    "The {place} opens at {h}:{m} and shuts on {day}.",
    "Nobody told {who} that the {thing} weighs {n} kg.",
    "Is it cheaper to {verb} the {thing} {how}, or to hire someone for {n} euros an hour?",
    "We would rather {verb} it {how} than wait until {day}.",
    "{who} says {n} {unit} will do, which I doubt.",
    "What is the best order to {verb} everything, and when do we have to leave the {place}?",
    "The shop lends a {thing} for {n} euros a day, with a deposit of {n} euros.",
    "Please work out the total and the time {who} arrives {how}.",
    "On {day} we {verb} the old {thing} and bring the new one to the {place}.",
    "Each round takes {n} minutes, and the {thing} has to rest for {n} more.",
    "I promised {who} an answer by {day}, so keep it short.",
)
ZH = {
    "who": "我妹妹|邻居老张|物业师傅|同事小李|我舅舅|社团秘书|奶奶|房东|新来的实习生|"
    "室友|合唱团指挥|表哥|面包师|爸爸|教练",
    "thing": "折叠桌|一桶油漆|一箱瓷砖|面粉|浇花水管|窗帘|书架|苹果箱|"
    "打气筒|地毯|缝纫机|塑料椅|野营炉|衣柜|台灯|"
    "蜡烛|琴凳|喷壶|砂石|风筝|工具箱|烤箱|鱼缸|被褥|架子鼓",
    "place": "市民中心|码头|菜园|学校体育馆|地下室|集市广场|楼顶露台|火车站|"
    "图书馆|船坞|礼堂|河边步道|社区厨房|后院|操场|阁楼|停车场|磨坊",
    "verb": "搬走|粉刷|打包|修好|借来|归还|量一量|清洗|装车|卖掉|挂起来|拆开|收好",
    "day": "周一|周二|星期三|周四|星期五|周六|周日|后天|下周|五月初",
    "unit": "公斤|米|升|分钟|元|小时|厘米|个人|趟|公里",
    "how": "坐公交|走路|开面包车|一次性|午饭后|早饭前|骑车|不找人帮忙|一个人",
}
ZH_FRAMES = (
    "{who}打算{day}在{place}把{thing}{verb}。",
    "大概要花{n}{unit}，另付{n}元。",
    "从{place}到{place}有{n}公里，我们{how}过去。",
    "一共{n}个人，{who}{h}点{m}分到。",
    "手头有{thing}和{thing}，还有{n}{unit}绳子。",
    "这{thing}我该按多少{unit}准备？",
    "上次{who}做同样的事用了{n}{unit}。",
    "{place}早上{h}点开门，{day}休息。",
    "没人告诉{who}那个{thing}有{n}公斤重。",
    "{how}把{thing}{verb}划算，还是花每小时{n}元请人？",
    "与其等到{day}，不如{how}先{verb}。",
    "{who}说{n}{unit}就够，我不太信。",
    "先后怎么安排最省时间，几点得离开{place}？",
    "店里租{thing}一天{n}元，押金{n}元。",
    "麻烦算一下总数，再算{who}{how}几点能到。",
    "{day}先把旧的{thing}{verb}，再把新的送到{place}。",
    "每轮{n}分钟，中间{thing}还得歇{n}分钟。",
    "我答应{who}{day}之前回话，长话短说。",
)


class Writer:
    """Writes texts of one language."""

    def __init__(self, language: Language, seed: int = 1) -> None:
        self.language: Language = language
        self.random = random.Random(f"{language}-{seed}")
        banks, self.frames = (EN, EN_FRAMES) if language == "en" else (ZH, ZH_FRAMES)
        self.banks = {name: words.split("|") for name, words in banks.items()}

    def sentence(self) -> str:
        """One sentence with its slots filled; numbers from 2 to 400."""
        pieces, draw = self.random.choice(self.frames).split("{"), self.random
        written = [pieces[0]]
        for piece in pieces[1:]:
            slot, _, rest = piece.partition("}")
            if slot == "n":
                word = str(draw.randint(2, 400))
            elif slot in "hm":
                word = str(draw.randint(7, 21)) if slot == "h" else str(draw.randint(10, 59))
            else:
                word = draw.choice(self.banks[slot])
            written += [word, rest]
        return "".join(written)

    def fresh(self) -> str:
        """A new text, 2 to 5 sentences in English, 4 to 9 in Chinese."""
        count = self.random.randint(2, 5) if self.language == "en" else self.random.randint(4, 9)
        return (" " if self.language == "en" else "").join(self.sentence() for _ in range(count))

    def edited(self, text: str) -> str:
        """``text`` with one to three small changes."""
        for _ in range(self.random.randint(1, 3)):
            text = self.random.choice((self._swapped, self._cut, self._typo, self._added))(text)
        return text

    def texts(self, count: int) -> list[str]:
        """``count`` texts, every fifth or so an earlier one with edits."""
        made = list[str]()
        for _ in range(count):
            copy = made and self.random.random() < PLANTED
            made.append(self.edited(self.random.choice(made)) if copy else self.fresh())
        return made

    def _swapped(self, text: str) -> str:
        words = self.random.choice(list(self.banks.values()))
        return text.replace(self.random.choice(words), self.random.choice(words), 1)

    def _cut(self, text: str) -> str:
        start = self.random.randrange(len(text))
        return text[:start] + text[start + self.random.randint(1, 12) :] or text

    def _typo(self, text: str) -> str:
        place = self.random.randrange(len(text))
        return text[:place] + text[place : place + 2][::-1] + text[place + 2 :]

    def _added(self, text: str) -> str:
        place = self.random.randrange(len(text))
        return text[:place] + self.random.choice(self.banks["how"]) + text[place:]
