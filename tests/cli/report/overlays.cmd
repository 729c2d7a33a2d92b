# A contact sheet stands for its pictures; without one the first 24 are shown. Damaged ones, large ones and links are not.
mkdir -p r/a s
png() { printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\007\0\0\0\003' >"$1"; }
touch r/.denseval-result s/.denseval-result
png r/sheet.png && png r/a/x.png && ln -s x.png r/a/link.png
"$DENSEVAL" report r --out sheet.html
python3 "$CLI/report_text.py" sheet.html
for i in $(seq 28); do png "s/$i.png"; done
echo x >s/2.png
truncate -s 17M s/3.png
"$DENSEVAL" report s --out pictures.html --json >report.json
$JSON schema results pictures left_out passed_over < report.json
python3 "$CLI/report_text.py" pictures.html | grep -c '^data:image/png;base64, 7'
python3 "$CLI/report_text.py" pictures.html | sed -n '/left out/,$p'
