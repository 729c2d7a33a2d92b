# Figures of one kind stand together, below what they show; more than eight are folded. The rest keeps its file's name.
mkdir r
echo '{"schema": "denseval analysis v1", "command": "sweep"}' >r/analysis.json
for name in absolute_100 absolute_200 other wins_1 wins_2 wins_3 wins_4 wins_5 wins_6 wins_7 wins_8 wins_9; do
    echo '<svg xmlns="http://www.w3.org/2000/svg"/>' >r/$name.svg
    touch r/$name.png
done
"$DENSEVAL" report r --out page.html && python3 "$CLI/report_text.py" page.html | sed -n '/^Figures/,/^Other/p' | grep -v 'wins_[2-9]'
