# GEO-15: curves that no breaking point is defined for, and one that falls twice.
cat >a_memory1.csv <<END
model,train_bins,val_bin,jac_mean,jac0,jac1
flat,0,0,.8,.8,.8
flat,0,1,.8,.8,.8
flat,0,2,.8,.8,.8
flat,0,3,.8,.8,.8
zero,0,0,0,0,0
zero,0,1,.3,.3,.3
zero,0,2,.3,.3,.3
zero,0,3,.3,.3,.3
twice,0,0,.8,.8,.8
twice,0,1,.3,.3,.3
twice,0,2,.8,.8,.8
twice,0,3,.2,.2,.2
hole,0,0,.8,.8,.8
hole,0,2,.3,.3,.3
hole,0,3,.3,.3,.3
END
"$DENSEVAL" viewpoint analyze --plots none --results a_memory1.csv --out out --json >out.json
for i in 0 1 2 3; do
    $JSON experiment_b.$i.encoder experiment_b.$i.breaking_bin_all experiment_b.$i.breaking_bin_validation \
        experiment_b.$i.missing_bins <out.json | tr '\n' ' '
    echo
done
