#!/usr/bin/env python3
"""Prints what a page of `denseval report` says, a line a heading, caption, table line, figure or list item.

usage: report_text.py PAGE.html
Fails where an element is not closed in its order, an id is there twice, anything is loaded from outside the page, or a
reader who sees nothing would miss something: a heading of a table without scope, an image without words, an empty title.
"""
import html.parser
import sys

VOID = {"meta", "img"}
LINES = {"title", "h1", "h2", "h3", "caption", "tr", "li", "p", "summary", "figcaption"}
TITLES = {"title", "h1", "h2", "h3", "caption", "summary", "figcaption", "a"}
LOADING = {"src", "href", "srcset", "data", "action", "xlink:href", "style"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.text, self.drawing, self.untitled = [], set(), "", 0, False

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert tag != "script" and not any(name.startswith("on") for name in names), tag
        assert len(set(names)) == len(names), f"{tag}: an attribute twice"
        for name, value in attributes:
            assert name not in LOADING or value.startswith(("#", "data:image/")), f"{tag} loads {value}"
            assert name != "id" or value not in self.ids, f"id {value} twice"
            self.ids.add(value if name == "id" else None)
        assert tag != "th" or dict(attributes).get("scope") in ("col", "row"), "a heading without scope"
        assert not self.untitled or tag == "title", "a drawing without title"
        self.untitled = tag == "svg"
        if tag == "svg":
            self.drawing += 1
            assert dict(attributes)["role"] == "img"
        if tag == "img":
            assert dict(attributes)["alt"], "an image without words"
            print(dict(attributes)["src"][:22], dict(attributes).get("width", "-"), dict(attributes)["alt"])
        if tag not in VOID:
            self.open.append(tag)
        if tag in LINES | TITLES:
            self.text = ""

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"
        self.drawing -= tag == "svg"
        assert tag not in TITLES or self.text.strip(), f"<{tag}> is empty"
        if tag in ("td", "th"):
            self.text += " | "
        if tag in LINES and not self.drawing:
            print(self.text.strip(" |\n").replace("\n", " "))

    def handle_data(self, data):
        self.text += data


page = Page()
with open(sys.argv[1], encoding="utf-8") as f:
    whole = f.read()
assert whole.startswith('<!DOCTYPE html>\n<html lang="en">\n') and "url(" not in whole
page.feed(whole)
page.close()
assert not page.open, page.open
