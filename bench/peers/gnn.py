#!/usr/bin/env python3
"""Trains graph neural networks on the labelled nodes that adp-bench draws, and scores them.

usage: gnn.py DATA DRAWS JOURNAL [--sets cora,texas] [--models gcn,gat] [--labels 1,3,5,10,20] [--draws 10]
              [--device cuda] [--epochs 200] [--seconds S] [--gib 40] [--seed 1] [--published]

DATA has NAME.edges.tsv.gz, NAME.labels.tsv and NAME.features.npy, .npy.gz or .csr.npz (docs/data.md). DRAWS has
the files SET-both-LABELS-DRAW.seeds.tsv of `adp-bench accuracy --sets NAME@both --draws-out DRAWS`. A draw without
a file is left out, and said, and so is a set that lacks one of the three of DATA. JOURNAL gets lines
SET@both,labels,MODEL,seed,draw,score after each set and model, MODEL and MODEL-500 for the two scores below. They are
added to a file that is there. `adp-bench accuracy --journal JOURNAL --methods adp,journal:gcn` puts them beside its
own. Markdown tables come last. Models go in the order given, each over all sets, those of few edges first. After
--seconds no new set and model starts. --seed is that of the draws.
--published takes NAME.split.tsv in place of draws (train as seeds, its val, its test) and ten initialisations.

Edges are taken without direction and weight, each pair once, no loops. Features without a value below 0 are
divided by the sum of their row; others are standardised by column. Models and settings are the published ones,
the same for all sets, 64 hidden units where no other number is given:

    mlp     two layers, dropout .5, lr .01, decay 5e-4 on the first layer
    gcn     Kipf and Welling 2017: as mlp
    sage    Hamilton et al. 2017, mean of neighbours: dropout .5, lr .01, decay 5e-4
    appnp   Klicpera et al. 2019: 10 steps, alpha .1, dropout .5, lr .01, decay 5e-3 on the first layer
    gprgnn  Chien et al. 2021: 10 steps, weights from alpha .1, dropout .5, lr .01, decay 5e-4 but for the weights
    gat     Velickovic et al. 2018: 8 heads of 8, then one, dropout .6, lr .005, decay 5e-4
    grand   Feng et al. 2020: DropNode .5, order 8, 32 hidden, 4 augmentations, consistency 1 at temperature .5,
            dropout .5 (hidden units alone), lr .01, decay 5e-4; sets of up to 25,000 nodes

All draws and label counts of a set train at once, as one batch of models with weights of their own; the sum of
their losses and Adam on the stacked weights are the same as training each alone. Dropout differs from model to
model, but for the inputs: there an epoch has one mask for the whole batch. A batch larger than --gib is split.

Two scores a model, of one training. `last` is the last epoch, and sees no label but the seeds. `best` is the epoch
with the best score on 500 more labelled nodes (a third of the rest, where that is fewer), drawn at random: the
published practice, which gives the network labels that adp-sparse does not have. Every fifth epoch is looked at.
The score is the share of right labels among the labelled nodes that are not seeds (for minesweeper and tolokers
the mean of that share over classes). The nodes that `best` chooses by stay among them, for both scores; but
--published scores the test nodes of the split. On a GPU dense products are in TF32, and sums along edges have no
fixed order: runs differ a little.
Needs numpy, scipy and torch.
"""
import argparse
import gzip
import os
import sys
import time
import warnings
import zlib

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F

BALANCED = {"minesweeper", "tolokers"}
LARGEST = {"grand": 25000}  # nodes
BLOCK = 1 << 23  # numbers held at once for messages along edges


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data")
    parser.add_argument("draws_dir", metavar="DRAWS")
    parser.add_argument("journal")
    parser.add_argument("--sets", default="", help="default: all of DATA with edges, features and labels")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--labels", default="1,3,5,10,20", help="known labels a class")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--epochs", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--gib", type=float, default=40, help="memory for a batch")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--published", action="store_true")
    return parser.parse_args()


# Sparse products


def tensor(crow, col, values, shape):
    """A sparse tensor: rows packed where this torch can multiply that, else pairs (CPU without MKL)."""
    if PACKED[values.device.type]:
        return torch.sparse_csr_tensor(crow, col, values, shape)
    rows = torch.repeat_interleave(torch.arange(shape[0], device=col.device), (crow[1:] - crow[:-1]).long())
    return torch.sparse_coo_tensor(torch.stack([rows, col.long()]), values, shape)._coalesced_(True)


class Packed(dict):
    def __missing__(self, device):
        self[device] = True
        try:
            two = [torch.tensor(v, device=device) for v in (np.array([0, 1, 2], "i4"), np.array([1, 0], "i4"))]
            self[device] = torch.equal((tensor(*two, torch.ones(2, device=device), (2, 2)) @ torch.eye(2, device=device)).cpu(), torch.eye(2).flip(0))
        except RuntimeError:
            self[device] = False
        return self[device]


PACKED = Packed()


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, a, transposed):
        ctx.transposed = transposed
        return a @ z

    @staticmethod
    def backward(ctx, g):
        return ctx.transposed @ g.contiguous(), None, None


class Sparse:
    def __init__(self, m, device):
        m = sp.csr_matrix(m)
        m.sum_duplicates()
        back = sp.csr_matrix((np.arange(m.nnz), m.indices, m.indptr), m.shape).T.tocsr()
        to = lambda v, kind: torch.from_numpy(v.astype(kind)).to(device)
        self.shape = m.shape
        self.rows, self.columns = ((to(k.indptr, "i4"), to(k.indices, "i4")) for k in (m, back))
        self.values, self.order = to(m.data, "f4"), to(back.data, "i8")
        self.whole = self.pair(self.values)

    def pair(self, values):
        return tensor(*self.rows, values, self.shape), tensor(*self.columns, values[self.order], self.shape[::-1])

    def mm(self, z, p=0.0):
        return Product.apply(z, *(self.pair(F.dropout(self.values, p)) if p else self.whole))


class Dense:
    def __init__(self, x, device):
        self.x = torch.from_numpy(np.ascontiguousarray(x, "f4")).to(device)

    def mm(self, z, p=0.0):
        return F.dropout(self.x, p) @ z


class Messages(torch.autograd.Function):
    """out[i] = sum of w[e] h[src[e]] over the edges e with dst[e] = i; w is edges x k, h is nodes x k x f."""

    @staticmethod
    def blocks(h, src):
        step = max(1, BLOCK // h[0].numel())
        return [slice(a, a + step) for a in range(0, len(src), step)]

    @staticmethod
    def forward(ctx, w, h, src, dst):
        ctx.save_for_backward(w, h, src, dst)
        out = torch.zeros_like(h)
        for s in Messages.blocks(h, src):
            out.index_add_(0, dst[s], h.index_select(0, src[s]).mul_(w[s].unsqueeze(-1)))
        return out

    @staticmethod
    def backward(ctx, g):
        w, h, src, dst = ctx.saved_tensors
        g, dw, dh = g.contiguous(), torch.empty_like(w), torch.zeros_like(h)
        for s in Messages.blocks(h, src):
            at = g.index_select(0, dst[s])
            dw[s] = h.index_select(0, src[s]).mul_(at).sum(-1)
            dh.index_add_(0, src[s], at.mul_(w[s].unsqueeze(-1)))
        return dw, dh, None, None


# Sets


def load_features(base):
    if os.path.exists(base + ".features.csr.npz"):
        with np.load(base + ".features.csr.npz") as z:
            return sp.csr_matrix((z["data"].astype("f4"), z["indices"], z["indptr"]), tuple(z["shape"]))
    for end, opener in ((".features.npy", open), (".features.npy.gz", gzip.open)):
        if os.path.exists(base + end):
            with opener(base + end, "rb") as f:
                return sp.csr_matrix(np.load(f).astype("f4"))
    return None


def column_pairs(path):
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\r\n").split("\t")[:2] for line in lines if line.strip() and not line.startswith("#")]


class Graph:
    def __init__(self, folder, name, device):
        self.name, self.base, self.device = name, os.path.join(folder, name), device
        x = load_features(self.base)
        edges = self.base + ".edges.tsv"
        opener, edges = (open, edges) if os.path.exists(edges) else (gzip.open, edges + ".gz")
        with opener(edges, "rt") as f:
            pairs = np.array([[int(v) for v in line.split()[:2]] for line in f if line.strip() and line[0] != "#"])
        self.n, self.d = x.shape
        if pairs.max() >= self.n:
            raise ValueError(f"{name}: node {pairs.max()} of the edges has no row of features")
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        a = sp.csr_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), (self.n, self.n))
        a = ((a + a.T) > 0).astype(np.float64)
        self.edges = a.nnz + self.n
        loops = (a + sp.identity(self.n)).tocsr()
        root = sp.diags(1 / np.sqrt(np.asarray(loops.sum(1)).ravel()))
        self.adjacency = Sparse(root @ loops @ root, device)
        self.mean = Sparse(sp.diags(1 / np.maximum(np.asarray(a.sum(1)).ravel(), 1)) @ a, device)
        loops = loops.tocoo()
        self.dst, self.src = (torch.from_numpy(v.astype("i8")).to(device) for v in (loops.row, loops.col))
        if x.nnz == 0 or x.data.min() >= 0:
            sums = np.asarray(x.sum(1), "f8").ravel()
            x = (sp.diags(1 / np.where(sums > 0, sums, 1)) @ x).tocsr()
        else:
            x = x.toarray().astype("f8")
            x = sp.csr_matrix((x - x.mean(0)) / np.where(x.std(0) > 0, x.std(0), 1))
        # A GPU's dense product is the faster one down to few entries.
        sparse = x.nnz < (0.005 if device.type == "cuda" else 0.1) * self.n * self.d or self.n * self.d > 2**28
        self.x = Sparse(x, device) if sparse else Dense(x.toarray(), device)
        labels = column_pairs(self.base + ".labels.tsv")
        self.classes = sorted({c for _, c in labels})
        self.y = np.full(self.n, -1)
        for i, c in labels:
            self.y[int(i)] = self.classes.index(c)
        self.c = len(self.classes)


class Job:
    """One model to train: its seeds, the nodes that `best` chooses by, and those that count."""

    def __init__(self, labels, draw, seeds, val, test):
        self.labels, self.draw, self.seeds, self.val, self.test = labels, draw, seeds, val, test


def jobs_of(g, args):
    known = np.flatnonzero(g.y >= 0)
    if args.published:
        parts = column_pairs(g.base + ".split.tsv")
        seeds, val, test = (np.array([int(i) for i, p in parts if p == q and g.y[int(i)] >= 0]) for q in ("train", "val", "test"))
        return [Job("published", k, seeds, val, test) for k in range(10)]
    jobs, absent = [], []
    for labels in args.labels.split(","):
        for draw in range(args.draws):
            path = os.path.join(args.draws_dir, f"{g.name}-both-{labels}-{draw}.seeds.tsv")
            if not os.path.exists(path):
                absent.append(f"{labels}-{draw}")
                continue
            rows = column_pairs(path)
            seeds = np.array([int(i) for i, _ in rows])
            if [g.classes[k] if k >= 0 else None for k in g.y[seeds]] != [c for _, c in rows]:
                raise ValueError(f"{path}: not the labels of {g.name}.labels.tsv")
            rest = np.setdiff1d(known, seeds)
            rng = np.random.default_rng([args.seed, zlib.crc32(g.name.encode()), int(labels), draw])
            jobs.append(Job(labels, draw, seeds, rng.permutation(rest)[: min(500, len(rest) // 3)], rest))
    if absent:
        print(f"{g.name}: no draws {' '.join(absent)}", flush=True)
    return jobs


# Models: b of them at once. Values are nodes x b x units, or edges x (b heads) for gat.


class MLP:
    hidden, drop, lr, decay, first_only = 64, 0.5, 0.01, 5e-4, True

    def __init__(self, g, b):
        self.g, self.b, self.training, h = g, b, True, self.hidden
        self.w1, self.b1 = self.glorot(g.d, b, h, fan=g.d + h), self.glorot(b, h)
        self.w2, self.b2 = self.glorot(b, h, g.c, fan=h + g.c), self.glorot(b, g.c)

    def glorot(self, *shape, fan=None):
        """New weights; zeros without fan."""
        w = torch.zeros(shape, device=self.g.device)
        return (w.uniform_(-1, 1).mul_((6 / fan) ** 0.5) if fan else w).requires_grad_()

    def groups(self):
        """Weights and their decay, as Adam takes them."""
        return [{"params": [self.w1, self.b1], "weight_decay": self.decay},
                {"params": [self.w2, self.b2], "weight_decay": 0 if self.first_only else self.decay}]

    def dropout(self, z):
        return F.dropout(z, self.drop, self.training)

    def spread(self, a, z):
        return a.mm(z.reshape(self.g.n, -1)).reshape(z.shape)

    def first(self):
        """The features by the weights of the first layer."""
        p = self.drop if self.training else 0.0
        return self.g.x.mm(self.w1.reshape(self.g.d, -1), p).reshape(self.g.n, *self.w1.shape[1:])

    def second(self, z):
        return torch.einsum("nbh,bhc->nbc", self.dropout(z), self.w2)

    def forward(self):
        return self.second(F.relu(self.first() + self.b1)) + self.b2

    def loss(self, nodes, classes, weights):
        out = self.forward()[nodes, torch.arange(self.b, device=nodes.device)[:, None]].log_softmax(-1)
        return -(weights * out.gather(-1, classes[..., None])[..., 0]).sum()

    @classmethod
    def bytes(cls, g):
        """Memory that one model takes, roughly."""
        return 4 * (g.n * (12 * cls.hidden + 40 * g.c) + 6 * g.d * cls.hidden)


class GCN(MLP):
    def forward(self):
        a = self.g.adjacency
        return self.spread(a, self.second(F.relu(self.spread(a, self.first()) + self.b1))) + self.b2


class SAGE(MLP):
    first_only = False

    def __init__(self, g, b):
        super().__init__(g, b)
        self.w1 = self.glorot(g.d, b, 2 * self.hidden, fan=g.d + self.hidden)
        self.w2 = self.glorot(b, self.hidden, 2 * g.c, fan=self.hidden + g.c)

    @classmethod
    def bytes(cls, g):
        return 2 * super().bytes(g)

    def join(self, z):
        own, others = z.chunk(2, -1)
        return own + self.spread(self.g.mean, others)

    def forward(self):
        return self.join(self.second(F.relu(self.join(self.first()) + self.b1))) + self.b2


class APPNP(MLP):
    decay, steps, alpha = 5e-3, 10, 0.1

    def forward(self):
        z = start = super().forward()
        for _ in range(self.steps):
            z = (1 - self.alpha) * self.spread(self.g.adjacency, z) + self.alpha * start
        return z


class GPRGNN(MLP):
    first_only, steps, alpha = False, 10, 0.1

    def __init__(self, g, b):
        super().__init__(g, b)
        gamma = self.alpha * (1 - self.alpha) ** np.arange(self.steps + 1)
        gamma[-1] /= self.alpha
        self.gamma = torch.tensor(np.tile(gamma[:, None, None], (1, b, 1)), dtype=torch.float32, device=g.device, requires_grad=True)

    def groups(self):
        return super().groups() + [{"params": [self.gamma], "weight_decay": 0}]

    def forward(self):
        z = self.dropout(super().forward())
        out = self.gamma[0] * z
        for k in range(self.steps):
            z = self.spread(self.g.adjacency, z)
            out = out + self.gamma[k + 1] * z
        return out


class GAT(MLP):
    heads, drop, lr, first_only = 8, 0.6, 0.005, False

    def __init__(self, g, b):
        super().__init__(g, b)
        f = self.hidden // self.heads
        self.w1 = self.glorot(g.d, b, self.hidden, fan=g.d + f)
        self.a1 = [self.glorot(b * self.heads, f, fan=f + 1) for _ in range(2)]
        self.a2 = [self.glorot(b, g.c, fan=g.c + 1) for _ in range(2)]

    def groups(self):
        return super().groups() + [{"params": self.a1 + self.a2, "weight_decay": self.decay}]

    def attend(self, z, a):
        """z is nodes x k x f, k a model and head."""
        g, z = self.g, z.contiguous()
        of, to = ((z * k).sum(-1) for k in a)
        # Softmax over the edges into a node; `top` is no less than any of their scores.
        top = F.leaky_relu(of.max(0).values + to, 0.2).detach()
        e = F.leaky_relu(of.index_select(0, g.src) + to.index_select(0, g.dst), 0.2)
        e = (e - top.index_select(0, g.dst)).exp()
        total = torch.zeros_like(to).index_add(0, g.dst, e)
        return Messages.apply(self.dropout(e), z, g.src, g.dst) / total.clamp(min=1e-30)[..., None]

    def forward(self):
        n, b = self.g.n, self.b
        z = self.attend(self.first().reshape(n, b * self.heads, -1), self.a1).reshape(n, b, -1)
        return self.attend(self.second(F.elu(z + self.b1)), self.a2) + self.b2

    @classmethod
    def bytes(cls, g):
        return super().bytes(g) + 4 * 9 * cls.heads * g.edges


class GRAND(MLP):
    hidden, first_only, order, times, weight, temperature = 32, False, 8, 4, 1.0, 0.5

    def propagate(self, z):
        total = z
        for _ in range(self.order):
            z = self.spread(self.g.adjacency, z)
            total = total + z
        return total / (self.order + 1)

    def forward(self):
        """Answers nodes x b x augmentations x classes. Nodes are dropped after the first weights, which is the same."""
        g, b, s = self.g, self.b, self.times if self.training else 1
        # DropNode: 0 or 2, which leaves the mean; a kept product of few features is the cheaper one to propagate.
        keep = F.dropout(torch.ones(g.n, b, s, 1, device=g.device), 0.5, self.training)
        if isinstance(g.x, Dense) and g.d <= self.hidden:
            z = torch.einsum("nbsd,dbh->nbsh", self.propagate(keep * g.x.x[:, None, None]), self.w1)
        else:
            z = self.propagate(keep * g.x.mm(self.w1.reshape(g.d, -1)).reshape(g.n, b, 1, -1))
        z = self.dropout(F.relu(z + self.b1[:, None]))
        out = torch.einsum("nbsh,bhc->nbsc", z, self.w2) + self.b2[:, None]
        return out if self.training else out[:, :, 0]

    def loss(self, nodes, classes, weights):
        out = self.forward().log_softmax(-1)
        seeds = out[nodes, torch.arange(self.b, device=nodes.device)[:, None]].mean(2)
        p = out.exp()
        sharp = p.detach().mean(2, keepdim=True) ** (1 / self.temperature)
        sharp = sharp / sharp.sum(-1, keepdim=True)
        apart = ((p - sharp) ** 2).sum(-1).mean(2).mean(0).sum()
        return self.weight * apart - (weights * seeds.gather(-1, classes[..., None])[..., 0]).sum()

    @classmethod
    def bytes(cls, g):
        return 4 * (cls.times * g.n * (10 * cls.hidden + 12 * g.c) + 6 * g.d * cls.hidden)


MODELS = {"mlp": MLP, "gcn": GCN, "sage": SAGE, "appnp": APPNP, "gprgnn": GPRGNN, "gat": GAT, "grand": GRAND}


# Training


def padded(lists, device):
    """Lists of nodes as one table, and the weights that make a mean of each row."""
    table = np.zeros((len(lists), max(map(len, lists))), np.int64)
    weights = np.zeros(table.shape, "f4")
    for row, weight, nodes in zip(table, weights, lists):
        row[: len(nodes)], weight[: len(nodes)] = nodes, 1 / max(1, len(nodes))
    return torch.from_numpy(table).to(device), torch.from_numpy(weights).to(device)


class Score:
    """Shares of right labels of each model, over its own nodes."""

    def __init__(self, g, y, lists):
        self.y, self.mask = y, torch.zeros(g.n, len(lists), device=g.device)
        for k, nodes in enumerate(lists):
            self.mask[torch.from_numpy(nodes).to(g.device), k] = 1
        self.rows = F.one_hot(y.clamp(min=0), g.c).float().T if g.name in BALANCED else torch.ones(1, g.n, device=g.device)
        self.counts = (self.rows.double() @ self.mask.double())  # classes, or one, x models

    def __call__(self, out):
        right = (out.argmax(-1) == self.y[:, None]).double() * self.mask
        shares = (self.rows.double() @ right) / self.counts.clamp(min=1)
        return shares.sum(0) / (self.counts > 0).sum(0).clamp(min=1)


def train(kind, g, jobs, epochs):
    """Scores of each job at the last epoch and at the best."""
    y = torch.from_numpy(g.y).to(g.device)
    nodes, weights = padded([j.seeds for j in jobs], g.device)
    classes = y[nodes].clamp(min=0)
    val, test = (Score(g, y, [getattr(j, what) for j in jobs]) for what in ("val", "test"))
    net = kind(g, len(jobs))
    adam = torch.optim.Adam(net.groups(), lr=net.lr, **({"fused": True} if g.device.type == "cuda" else {}))
    best = best_val = last = None
    for epoch in range(1, epochs + 1):
        net.training = True
        adam.zero_grad(set_to_none=True)
        net.loss(nodes, classes, weights).backward()
        adam.step()
        if epoch % 5 == 0 or epoch == epochs:
            net.training = False
            with torch.no_grad():
                out = net.forward()
                now, last = val(out), test(out)
                better = now > best_val if best is not None else torch.ones_like(now, dtype=torch.bool)
                best = torch.where(better, last, last if best is None else best)
                best_val = torch.where(better, now, now if best_val is None else best_val)
    return list(zip(last.tolist(), best.tolist()))


def train_all(kind, g, jobs, args):
    """In batches that fit into memory."""
    size = max(1, min(len(jobs), int(args.gib * 2**30 / kind.bytes(g))))
    size = -(-len(jobs) // -(-len(jobs) // size))
    scores = []
    while len(scores) < len(jobs):
        batch = jobs[len(scores) : len(scores) + size]
        try:
            scores += train(kind, g, batch, args.epochs)
            continue
        except torch.cuda.OutOfMemoryError:
            if size == 1:
                raise
        size = (size + 1) // 2
        torch.cuda.empty_cache()
    return scores, -(-len(jobs) // size)


def tables(rows, models):
    for rule in ("last", "best"):
        of = {}
        for name, labels, _, model, which, score in rows:
            if which == rule:
                of.setdefault((name, labels), {}).setdefault(model, []).append(score)
        print(f"\nEpoch: {rule}\n\n| set | labels a class | {' | '.join(models)} |\n|---|---|{'---|' * len(models)}")
        for (name, labels), found in of.items():
            cells = [f"{np.mean(s):.3f} ± {np.std(s, ddof=min(1, len(s) - 1)):.3f}" if (s := found.get(m)) else "" for m in models]
            print(f"| {name} | {labels} | {' | '.join(cells)} |")


def main():
    args = arguments()
    warnings.filterwarnings("ignore", message=".*[Ss]parse.*")
    device = torch.device(args.device)
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    begin, rows = time.monotonic(), []
    models = args.models.split(",")
    names = [s.split("@")[0] for s in args.sets.split(",") if s]
    names = names or sorted({f.split(".edges.tsv")[0] for f in os.listdir(args.data) if ".edges.tsv" in f})
    graphs = []
    for name in names:
        base = os.path.join(args.data, name)
        needs = [".labels.tsv"] + [".split.tsv"] * args.published
        lacks = [e for e in needs if not os.path.exists(base + e)]
        if not any(os.path.exists(base + ".features" + e) for e in (".npy", ".npy.gz", ".csr.npz")):
            lacks.append("features")
        if not any(os.path.exists(base + ".edges" + e) for e in (".tsv", ".tsv.gz")):
            lacks.append("edges")
        if not lacks and not args.published and not any(f.startswith(name + "-both-") for f in os.listdir(args.draws_dir)):
            lacks.append("draws")
        if lacks:
            print(f"{name}: left out, no {', '.join(lacks)}", flush=True)
            continue
        try:
            g = Graph(args.data, name, device)
            jobs = jobs_of(g, args)
        except (ValueError, IndexError) as error:
            print(f"{name}: left out, {error}", flush=True)
            continue
        if jobs:
            graphs.append((g, jobs))
    graphs.sort(key=lambda k: k[0].edges)
    print(f"{len(graphs)} sets, torch {torch.__version__} on {device}, read in {time.monotonic() - begin:.1f} s", flush=True)
    with open(args.journal, "a", encoding="utf-8") as f:
        for model in models:
            for g, jobs in graphs:
                if g.n > LARGEST.get(model, g.n):
                    print(f"{model} {g.name}: left out, {g.n} nodes", flush=True)
                    continue
                if time.monotonic() - begin > args.seconds:
                    print(f"{model} {g.name}: left out, {args.seconds:.0f} s are over", flush=True)
                    continue
                start = time.monotonic()
                torch.manual_seed(args.seed + zlib.crc32(g.name.encode()))
                try:
                    scores, batches = train_all(MODELS[model], g, jobs, args)
                except RuntimeError as error:
                    print(f"{model} {g.name}: left out, {error}", flush=True)
                    continue
                for job, pair in zip(jobs, scores):
                    for rule, score in zip(("last", "best"), pair):
                        rows.append((g.name, job.labels, job.draw, model, rule, score))
                        method = model + ("-500" if rule == "best" else "") + (" balanced" if g.name in BALANCED else "")
                        labels = 0 if args.published else job.labels
                        f.write(f"{g.name}@both,{labels},{method},{args.seed},{job.draw},{score:.6f}\n")
                f.flush()
                print(f"{model} {g.name}: {len(jobs)} models in {batches} batches, {time.monotonic() - start:.1f} s", flush=True)
    rows.sort(key=lambda r: (names.index(r[0]), int(r[1]) if r[1].isdigit() else 0))
    tables(rows, models)
    print(f"\n{time.monotonic() - begin:.0f} s in all")


if __name__ == "__main__":
    sys.exit(main())
