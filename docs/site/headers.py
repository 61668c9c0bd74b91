"""What a public header declares, with its comments.

The headers are laid out by clang-format, which this relies on: a brace that opens a body has a space before it, one that
begins an initialiser has none. Bodies, private parts and what the preprocessor does are left out. That every type of the
headers is found is a test (tests/docs/site_test.py).
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field

OPEN, CLOSE = "([{", ")]}"
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:requires\b.*\s)?(?:typedef\s+)?(class|struct|union|enum(?: class)?)\s+"
                  r"(?:\[\[[^\]]*\]\]\s*)?(?:alignas\((?:[^()]|\([^()]*\))*\)\s*)?(\w+)", re.S)
# Definitions of members outside of their class, instantiations, checks, and declarations without a name.
UNTOLD = re.compile(r"extern template|template (?:class|struct) |friend class|static_assert|;"
                    r"|(?:template\s*<.*?>\s*)*[^()=]*\w(?:<[^()=]*>)?::~?(?:\w+|operator\W+)\(", re.S)
# A brace behind this belongs to an initialiser or to what a concept requires, and not to the body of a function.
EXPRESSION = re.compile(r"[^=!<>]=\s*$|\bconcept\b|\)\s*=[^=]|(?:requires|&&|\|\|)\s+requires\s*(?:\(\))?\s*$")
RULE = re.compile(r"^-{5,}\s*")


@dataclass
class Item:
    """A declaration, or a class with members; `comment` is what stands before it."""

    code: str
    comment: list[str]
    apart: bool = True  # a blank line or a comment is between it and the one before
    heading: str = ""  # of the part of the class or file that begins here
    members: list[Item] = field(default_factory=list)
    space: str = ""  # the namespace within delassus, with "::" behind

    @property
    def type_kind(self) -> str | None:
        match = TYPE.match(self.code)
        return match[1] if match else None

    @property
    def name(self) -> str:
        return self.space + name_of(self.code)


@dataclass
class Header:
    comment: list[str]
    items: list[Item]


def without_templates(code: str) -> str:
    """The declaration without `template <...>` and `requires` in front, and without decltype."""
    code = re.sub(r"\bdecltype\((?:[^()]|\([^()]*\))*\)\s*", "auto ", code)
    code = re.sub(r"^(template\s*<.*?>)\s*requires requires\(.*?\)\s*\{.*?\n\s*\}\s*", r"\1 ", code.strip(), flags=re.S)
    code = re.sub(r"^template\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>\s*", "", code)
    return re.sub(r"^requires\s*(?:\((?:[^()]|\([^()]*\))*\)|\S+(?:<[^<>]*>)?)\s*", "", code)


def name_of(code: str) -> str:
    """The name that a declaration declares; empty where it declares none."""
    code = re.sub(r"//.*", "", code)
    if match := TYPE.match(code):
        return match[2]
    code = without_templates(code)
    for pattern in (r"^using\s+(\w+)\s*=", r"^concept\s+(\w+)", r"\b(operator\s*(?:\(\)|\[\]|[^\s(\w]+|\w[\w:<> ]*?))\s*\(",
                    r"^typedef\b.*?(\w+)\s*;", r"^[^()={]*?(\w+)\s*(?:\[[^\]]*\]\s*)?(?:=|\{)", r"(~?\w+)\s*\("):
        if match := re.search(pattern, code, re.S):
            return match[1]
    match = re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)?(?:=|\{|;|,\s*\w+\s*[,;=]|:\s*\d)", code)
    return match[1] if match else ""


class Scanner:
    """Reads declarations from a position on, to the end of the text or to the brace that closes the scope."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def skip_quoted(self) -> None:
        quote = self.text[self.at]
        self.at += 1
        while self.text[self.at] != quote:
            self.at += 2 if self.text[self.at] == "\\" else 1
        self.at += 1

    def skip_line(self) -> str:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        line, self.at = self.text[self.at : end], end + 1
        return line

    def skip_directive(self) -> None:
        while self.skip_line().endswith("\\"):
            pass

    def skip_balanced(self) -> None:
        """From an opening bracket to behind the one that closes it."""
        depth = 0
        while True:
            if self.text.startswith("//", self.at):
                self.skip_line()
                continue
            char = self.text[self.at]
            if char == '"' or (char == "'" and not self.text[self.at - 1].isalnum()):
                self.skip_quoted()
                continue
            depth += (char in OPEN) - (char in CLOSE)
            self.at += 1
            if depth == 0:
                return

    def declaration(self) -> tuple[str, int]:
        """The text of one declaration without a body, and where the body of a type or namespace begins, or -1."""
        start = self.at
        while True:
            char = self.text[self.at]
            if self.text.startswith("//", self.at):
                self.skip_line()
            elif char == ";":
                self.at += 1
                return self.text[start : self.at], -1
            elif char == "{" and self.text[self.at - 1] in " \n":
                head = self.text[start : self.at]
                if TYPE.match(head) or re.match(r"(inline )?namespace\b|extern \"C\"", head):
                    return head.rstrip(), self.at
                self.skip_balanced()
                if "(" in head and not EXPRESSION.search(without_arguments(head)):
                    return without_initialisers(re.sub(r" *//.*", "", head)).rstrip() + ";", -1
            elif char in "([{":
                self.skip_balanced()
            elif char in "\"'":
                self.skip_quoted()
            else:
                self.at += 1

    def trailing_comment(self) -> str:
        """A comment behind a declaration, on its line."""
        match = re.compile(r"[ \t]*//(?!/)[ \t]?(.*)").match(self.text, self.at)
        if not match:
            return ""
        self.at = match.end()
        return "" if match[1].startswith(("NOLINT", "namespace", "clang-format")) else match[1]

    def items(self, private: bool = False) -> list[Item]:
        """The declarations of a scope, to its closing brace or the end of the text."""
        found: list[Item] = []
        comment: list[str] = []
        heading, apart, hidden = "", True, private
        while self.at < len(self.text):
            if space := re.compile(r"\s+").match(self.text, self.at):
                if space[0].count("\n") > 1:
                    comment, apart = (comment + [""] if comment else []), True
                self.at = space.end()
                continue
            if self.text.startswith("//", self.at):
                line = re.sub(r"^///? ?", "", self.skip_line()).rstrip()
                if RULE.match(line):
                    heading, comment = RULE.sub("", line).strip("- "), []
                elif not line.startswith("NOLINT"):
                    comment.append(line)
                apart = True
                continue
            if self.text[self.at] == "#":
                self.skip_directive()
                continue
            if macro := re.compile(r"DELASSUS_\w+(?=\()").match(self.text, self.at):
                self.at = macro.end()
                self.skip_balanced()
                continue
            if self.text[self.at] == "}":
                return found
            if access := re.compile(r"(public|private|protected):").match(self.text, self.at):
                hidden, comment, self.at = access[1] != "public", [], access.end()
                continue
            item = self.item(comment, apart, heading)
            comment, apart = [], False
            if item and not hidden:
                found += item
                heading = ""
        return found

    def item(self, comment: list[str], apart: bool, heading: str) -> list[Item]:
        code, body = self.declaration()
        if body >= 0:
            self.at = body + 1
            if code.startswith(("namespace", "inline namespace", "extern")):
                inside = self.items()
                self.at += 1
                if match := re.match(r"namespace delassus::(\w+)", code):
                    for item in inside:
                        item.space = match[1] + "::"
                return inside
            return [self.type_item(code, body, comment, apart, heading)]
        note = self.trailing_comment()
        if UNTOLD.match(code):
            return []
        if "DELASSUS_INLINE " in code:  # the lines that follow are indented as far as it is long
            code = re.sub(r"\n {16}(?= {8})", "\n", code.replace("DELASSUS_INLINE ", ""))
        return [Item(textwrap.dedent(code) + (f"  // {note}" if note else ""), comment, apart, heading)]

    def type_item(self, code: str, body: int, comment: list[str], apart: bool, heading: str) -> Item:
        item = Item(code, comment, apart, heading)
        if item.type_kind in ("class", "struct", "union"):
            item.members = self.items(private=item.type_kind == "class")
            self.at += 1
        else:
            self.at = body
            self.skip_balanced()
            item.code = code + " " + self.text[body : self.at]
        tail, _ = self.declaration()  # a semicolon, or the name of a typedef
        item.code += tail if not item.members else ""
        return item


def without_arguments(head: str) -> str:
    """The head of a function without what its parentheses hold."""
    shorter = re.sub(r"\([^()]+\)", "()", head)
    return head if shorter == head else without_arguments(shorter)


def without_initialisers(head: str) -> str:
    """The head of a constructor without the list of its members."""
    depth = 0
    for k, char in enumerate(head):
        depth += (char in OPEN) - (char in CLOSE)
        if char == ":" and depth == 0 and ")" in head[:k] and head[k - 1] != ":" and head[k + 1 : k + 2] != ":":
            return head[:k]
    return head


def with_line_comments(text: str) -> str:
    """A C header with comments to the end of the line, as the others have them."""

    def lines(match: re.Match[str]) -> str:
        words = [re.sub(r"^\s*\*? ?", "", line).rstrip() for line in match[1].rstrip().split("\n")]
        return "\n".join(f"// {word}".rstrip() for word in words)

    return re.sub(r"/\*\s?(.*?)\*/", lines, text, flags=re.S)


def read_header(text: str) -> Header:
    lines = with_line_comments(text).splitlines()
    count = next((k for k, line in enumerate(lines) if not line.startswith("//")), len(lines))
    comment = [re.sub(r"^// ?", "", line).rstrip() for line in lines[:count]]
    scanner = Scanner("\n".join(lines[count:]) + "\n")
    return Header(comment, scanner.items())
