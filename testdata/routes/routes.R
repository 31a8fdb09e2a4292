# Writes the graph of routes.py with R's igraph and Matrix into the working directory.
suppressPackageStartupMessages({library(igraph); library(Matrix)})
edges <- data.frame(source = c("ann", "bob", "carl", "ann"), target = c("bob", "carl", "dora", "carl"), weight = c(0.5, 2, 1.25, 3))
g <- graph_from_data_frame(edges, directed = FALSE, vertices = c("ann", "bob", "carl", "dora"))
for (f in c("graphml", "edgelist", "ncol", "lgl", "gml", "pajek", "leda", "dot")) {
  name <- paste0("r.", c(pajek = "net")[f])
  if (f != "pajek") name <- paste0("r.", f)
  tryCatch(suppressWarnings(write_graph(g, name, format = f)), error = function(e) message(f, ": ", conditionMessage(e)))
}
W <- as_adjacency_matrix(g, attr = "weight", names = FALSE)
invisible(writeMM(forceSymmetric(W), "r.mtx"))
invisible(file.copy("r.mtx", "r1.mtx", overwrite = TRUE))
invisible(writeMM(as(W, "generalMatrix"), "r2.mtx"))
saveRDS(g, "r.rds")
write.csv(edges, "r.csv", row.names = FALSE)
write.csv(edges, "r2.csv")
write.table(edges, "r.tsv", sep = "\t", quote = FALSE, row.names = FALSE, col.names = FALSE)
cat(sprintf("R %s.%s, igraph %s, Matrix %s\n", R.version$major, R.version$minor, packageVersion("igraph"), packageVersion("Matrix")))
