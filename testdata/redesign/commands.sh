#!/usr/bin/env bash
# Runs whose outputs a redesign must not change, byte for byte.
#   commands.sh PROGRAM DATA OUT
# PROGRAM is the built adp-sparse, DATA the folder of public sets (docs/data.md), OUT an
# empty folder. Compare two programs with diff -r OUT1 OUT2. Models lose the member that
# names the program's version; reports are not written: they hold times.
set -euo pipefail
program=$1 data=$2 out=$3
mkdir -p "$out"
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

# seeds NAME K: the first K nodes of each class.
seeds() { awk -F'\t' -v k="$2" '++n[$2] <= k' "$data/$1.labels.tsv" >"$here/$1.$2"; }
for set in cora citeseer karate football polblogs email-eu-core orl coil20 usps letter wikipedia-txt musae-facebook cornell; do
  for k in 1 5 10; do seeds $set $k; done
done
# name FLAGS…: one run, with all its outputs.
run() {
  local name=$1 model=()
  shift
  [[ " $* " == *" --no-model "* ]] || model=(--model "$out/$name.npz")
  local flags=()
  for word in "$@"; do [ "$word" = --no-model ] || flags+=("$word"); done
  echo "== $name"
  "$program" run "${flags[@]}" --unknown-labels skip --out "$out/$name.tsv" --graph-out "$out/$name.csr" "${model[@]}" --quiet 2>"$out/$name.err" || echo "exit $?" >>"$out/$name.err"
}
edges() { echo --edges "$data/$1.edges.tsv.gz" --labels "$here/$1.$2"; }
features() { echo ${FEATURES_FLAGS:-} --features "$(ls "$data/$1".features.* | head -n 1)" --labels "$here/$1.$2"; }

run karate $(edges karate 1) --proba --threads 1
run football $(edges football 5) --proba --threads 3
run cora $(edges cora 5) --proba --threads 1
run cora-three $(edges cora 5) --proba --threads 3
run polblogs $(edges polblogs 10) --select none --proba
run email $(edges email-eu-core 5) --calibrate auto --diagnose
run lgc $(edges citeseer 5) --method lgc --proba
run gfhf $(edges cora 1) --method gfhf --proba
run adp1 $(edges football 5) --method adp1 --proba
run dense $(edges football 5) --method dense --proba --no-model
run orl $(features orl 5) --proba
run orl-l1 $(features orl 1) --graph-kind l1 --no-model --proba
run coil20 $(features coil20 1) --no-model --threads 3
run usps $(features usps 5) --k 7 --metric cosine --proba --threads 1
run letter $(features letter 10) --scale columns --no-model
run words $(features wikipedia-txt 10) --no-model --proba
run lle $(features orl 5) --graph-kind lle --no-model
run both $(edges cora 5) ${FEATURES_FLAGS:-} --features "$data/cora.features.npy.gz" --no-model --proba
run both-share $(edges cora 10) ${FEATURES_FLAGS:-} --features "$data/cora.features.npy.gz" --feature-share 0.5 --proba
run both-model $(edges citeseer 5) ${FEATURES_FLAGS:-} --features "$data/citeseer.features.npy.gz" --nodes <(awk -F'\t' 'BEGIN{for(i=0;i<3327;i++)print i}') --proba
run sparse $(edges cornell 5) ${FEATURES_FLAGS:-} --features "$data/cornell.features.csr.npz" --no-model
run facebook $(edges musae-facebook 5) --select fast --class-prior seeds
run several --edges "$data/karate.edges.tsv.gz" --labels <(printf '0\ta\n0\tb\n33\tb\n5\ta\n') --multilabel --no-model
run warm $(features usps 10) --warm "$out/usps.npz" --no-model
run warm-lgc $(edges citeseer 10) --warm "$out/lgc.npz" --method lgc --no-model
"$program" predict --model "$out/usps.npz" --points "$(ls "$data"/usps.features.*)" --out "$out/predict.tsv" --proba --quiet
"$program" tune $(edges football 5) --methods lgc,adp,gfhf >"$out/tune.txt" 2>"$out/tune.err"
"$program" tune $(FEATURES_FLAGS= features orl 5) --graph-kinds knn,l1 --methods lgc >"$out/tune-graphs.txt" 2>"$out/tune-graphs.err"
"$program" suggest $(edges cora 1) --count 20 >"$out/suggest.tsv"
"$program" explain $(edges cora 5) --learned "$out/cora.csr" --node 3 --json >"$out/explain.json"
"$program" knn --features "$(ls "$data"/usps.features.*)" --out "$out/knn.csr" --quiet
# The model names the program and the folder of the data; the rest is compared.
for model in "$out"/*.npz; do
  folder=$(mktemp -d -p "$here")
  (cd "$folder" && python3 -m zipfile -e "$model" . && sed -i 's/"program":"[^"]*",//; s#"file":"[^"]*",##' about.npy && find . -type f | sort | xargs sha256sum) >"$model.sums"
  rm "$model"
done
sed -i "s#$here#SEEDS#g; s#$out#OUT#g; s#/dev/fd/[0-9]*#FD#g; s#in [0-9.]* s#in T s#g" "$out"/*.err "$out"/*.txt
