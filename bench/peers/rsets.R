# Sets of R packages for `adp-bench accuracy --data DIR`:
#
#     Rscript bench/peers/rsets.R DIR [second] [raw]
#
# Tables of mlbench, kernlab, mclust and MASS, rows without a missing value, factors as
# numbers, columns standardised (constant ones left out); five more are drawn by mlbench.
# With second, tables of modeldata, dslabs, caret, gclus, rrcov and TH.data in their place;
# with raw, columns as they are.
# Each is written as NAME.features.npy (float32, C order) and NAME.labels.tsv.
dir <- commandArgs(TRUE)[1]
second <- "second" %in% commandArgs(TRUE)
raw <- "raw" %in% commandArgs(TRUE)

table_of <- function(name, package) { e <- new.env(); data(list = name, package = package, envir = e); get(name, e) }

save_set <- function(name, x, y) {
  x <- sapply(as.data.frame(x), as.numeric)
  whole <- complete.cases(x) & !is.na(y)
  x <- x[whole, ]; y <- as.integer(factor(y[whole]))
  n <- nrow(x)
  sd <- apply(x, 2, sd) * sqrt((n - 1) / n)
  x <- if (raw) x[, sd > 0] else scale(x[, sd > 0], center = TRUE, scale = sd[sd > 0])
  header <- sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", n, ncol(x))
  header <- paste0(header, strrep(" ", (64 - (nchar(header) + 11) %% 64) %% 64), "\n")
  f <- file(file.path(dir, paste0(name, ".features.npy")), "wb")
  writeBin(as.raw(c(0x93, utf8ToInt("NUMPY"), 1, 0)), f)
  writeBin(nchar(header), f, size = 2, endian = "little")
  writeBin(charToRaw(header), f)
  writeBin(as.vector(t(x)), f, size = 4, endian = "little")
  close(f)
  write.table(data.frame(seq_len(n) - 1, paste0("c", y)), file.path(dir, paste0(name, ".labels.tsv")),
              sep = "\t", quote = FALSE, row.names = FALSE, col.names = FALSE)
}

if (second) {
whole <- function(name, set, package, class, without = NULL) {
  t <- as.data.frame(table_of(set, package))
  save_set(name, t[, setdiff(names(t), c(class, without))], t[[class]])
}
whole("addata", "ad_data", "modeldata", "Class", "Genotype")
whole("attrition", "attrition", "modeldata", "Attrition")
whole("cells", "cells", "modeldata", "class", "case")
whole("churn", "mlc_churn", "modeldata", "churn", c("state", "area_code"))
whole("credit", "credit_data", "modeldata", "Status")
whole("hpc", "hpc_data", "modeldata", "class", c("protocol", "day"))
whole("oils", "oils", "modeldata", "class")
whole("parabolic", "parabolic", "modeldata", "class")
whole("penguins", "penguins", "modeldata", "species", c("island", "sex"))
whole("speech", "pd_speech", "modeldata", "class")
whole("twoclass", "two_class_dat", "modeldata", "Class")
whole("wachurn", "wa_churn", "modeldata", "churn")
t <- table_of("brca", "dslabs"); save_set("brca", t$x, t$y)
t <- table_of("tissue_gene_expression", "dslabs"); save_set("tissue", t$x, t$y)
t <- table_of("mnist_27", "dslabs")$train; save_set("mnist27", t[, 2:3], t$y)
whole("olive", "olive", "dslabs", "area", "region")
whole("dhfr", "dhfr", "caret", "Y")
whole("germancredit", "GermanCredit", "caret", "Class")
e <- new.env(); data(list = c("mdrr", "cox2"), package = "caret", envir = e)
save_set("mdrr", e$mdrrDescr, e$mdrrClass)
save_set("cox2", e$cox2Descr, e$cox2Class)
whole("body", "body", "gclus", "Gender")
whole("fruit", "fruit", "rrcov", "cultivar")
whole("olitos", "olitos", "rrcov", "grp")
whole("glaucoma", "GlaucomaM", "TH.data", "Class")
whole("wpbc", "wpbc", "TH.data", "status", "time")
quit()
}

suppressMessages({library(mlbench); library(kernlab); library(mclust); library(MASS)})
mlbench <- function(name, set, class, columns) { t <- table_of(set, "mlbench"); save_set(name, t[, columns], t[[class]]) }
mlbench("biopsy", "BreastCancer", "Class", 2:10)
mlbench("dna", "DNA", "Class", 1:180)
mlbench("glass", "Glass", "Type", 1:9)
mlbench("ionosphere", "Ionosphere", "Class", c(1, 3:34))
mlbench("pima", "PimaIndiansDiabetes", "diabetes", 1:8)
mlbench("satellite", "Satellite", "classes", 1:36)
mlbench("sonar", "Sonar", "Class", 1:60)
mlbench("soybean", "Soybean", "Class", 2:36)
mlbench("vehicle", "Vehicle", "Class", 1:18)
mlbench("votes", "HouseVotes84", "Class", 2:17)
mlbench("vowel", "Vowel", "Class", 2:10)
mlbench("zoo", "Zoo", "type", 1:16)
t <- table_of("musk", "kernlab"); save_set("musk", t[, 1:166], t$Class)
t <- table_of("spam", "kernlab"); save_set("spam", t[, 1:57], t$type)
t <- table_of("banknote", "mclust"); save_set("banknote", t[, -1], t$Status)
t <- table_of("chevron", "mclust"); save_set("chevron", t[, 2:3], t[, 1])
t <- table_of("diabetes", "mclust"); save_set("diabetes", t[, -1], t[, 1])
t <- table_of("thyroid", "mclust"); save_set("thyroid", t[, -1], t$Diagnosis)
t <- table_of("crabs", "MASS"); save_set("crabs", t[, 4:8], paste(t$sp, t$sex))

set.seed(1)
drawn <- function(name, t) save_set(name, t$x, t$classes)
drawn("spirals", mlbench.spirals(1000, 2, 0.05))
drawn("cassini", mlbench.cassini(1000))
drawn("normals", mlbench.2dnormals(1000, 4))
drawn("waveform", mlbench.waveform(2000))
drawn("ringnorm", mlbench.ringnorm(2000))
