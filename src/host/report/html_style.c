#include "report/html_style.h"

/* No script, no address: a browser that obeys the policy loads nothing, whatever a figure or a name may hold. */
const char dv_html_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
    "'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

const char dv_html_style[] =
    "<style>\n"
    ":root{color-scheme:light dark;--text:#1a1a1a;--soft:#555;--back:#fff;--head:#f3f3f3;--line:#ddd;--link:#0050a0}\n"
    "@media(prefers-color-scheme:dark){:root{--text:#e6e6e6;--soft:#a8a8a8;--back:#181a1b;--head:#26292b;--line:#"
    "3c4043;"
    "--link:#8ab4f8}}\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:1400px;padding:0 1.2em 3em;color:var(--text);"
    "background:var(--back)}\n"
    "h1{font-size:1.6em;overflow-wrap:anywhere}h2{margin-top:1.8em;border-bottom:1px solid var(--line)}\n"
    "h3{margin:1.4em 0 .4em;overflow-wrap:anywhere}h1,h3,li,summary,figcaption,td,th{unicode-bidi:isolate}\n"
    "nav a{margin-right:1.2em}a{color:var(--link)}\n"
    ".wide{overflow-x:auto;margin:.6em 0 "
    "1.2em}table{border-collapse:collapse;font-size:.9em;width:max-content;min-width:14em}\n"
    "caption{text-align:left;font-weight:600;padding:.3em 0}\n"
    "th,td{border:1px solid var(--line);padding:.2em .6em;text-align:left;vertical-align:top;max-width:28em;"
    "overflow-wrap:break-word}\n"
    "thead th{background:var(--head);max-width:8em}tbody th{font-weight:400;background:var(--head)}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums}td.n{white-space:pre}\n"
    "figure{margin:1em .8em 1em 0;display:inline-block;vertical-align:top;max-width:100%}\n"
    "img,svg{max-width:100%;height:auto;background:#fff;color:#000}svg{display:block}\n"
    "figcaption,footer,.soft{font-size:.9em;color:var(--soft)}figcaption{overflow-wrap:anywhere}\n"
    "summary{cursor:pointer;margin:.3em 0;overflow-wrap:anywhere}li{overflow-wrap:anywhere}footer{margin-top:3em}\n"
    "@media print{:root{color-scheme:light;--text:#000;--soft:#444;--back:#fff;--head:#f3f3f3;--line:#bbb}"
    "body{max-width:none;font-size:10pt;padding:0}nav{display:none}.wide{overflow:visible}"
    "table{width:auto;font-size:8pt}th,td{padding:1pt 3pt}"
    "figure,tr{break-inside:avoid}h2,h3,caption{break-after:avoid}thead{display:table-header-group}}\n"
    "</style>\n";
