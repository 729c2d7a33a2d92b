"$DENSEVAL" bank build --features 'none*.h5' --out bank.h5
