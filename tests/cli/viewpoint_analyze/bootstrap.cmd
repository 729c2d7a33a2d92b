# Intervals, shares of breaking points and wins; two folders of one encoder each give what one of both does.
"$PYTHON" "$CLI/make_counts.py"
"$DENSEVAL" viewpoint analyze --plots none --results both/results.json --bootstrap 200 --out one --json |
    $JSON settings.bootstrap settings.seed bootstrap pairs experiment_b.1.encoder experiment_b.1.breaking_shares_all \
        experiment_b.1.breaking_shares_validation experiment_b.1.never_breaks_all
"$DENSEVAL" viewpoint analyze --plots none --results good/results.json bad/results.json --bootstrap 200 --out two --quiet \
    --threads 2 >two.txt
for table in intervals breaking_shares pairs; do cmp one/$table.csv two/$table.csv; done
head -2 one/intervals.csv
