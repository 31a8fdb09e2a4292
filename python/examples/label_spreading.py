"""Three data sets of scikit-learn's examples of semi-supervised learning, with one line changed.

The data and the known labels are those of the examples plot_label_propagation_structure (two circles, one
label on each), plot_label_propagation_digits (340 digits, 40 labels) and plot_semi_supervised_versus_svm_iris
(two columns of iris, 30 % of the labels). Run: python label_spreading.py

The circles are nearer to each other than ten of their points are long: joined to ten neighbours, the default, a
point has some on the other circle. With as many as LabelSpreading has by default it has none.
"""

import time
import warnings

import numpy as np
from sklearn.datasets import load_digits, load_iris, make_circles
from sklearn.exceptions import ConvergenceWarning
from sklearn.semi_supervised import LabelSpreading

from adp_sparse import ADPClassifier


def circles():
    X, y = make_circles(n_samples=200, shuffle=False)
    known = np.full(200, -1)
    known[[0, -1]] = y[[0, -1]]
    return X, y, known


def digits():
    digits = load_digits()
    order = np.arange(len(digits.data))
    np.random.RandomState(2).shuffle(order)
    X, y = digits.data[order[:340]], digits.target[order[:340]]
    known = y.copy()
    known[40:] = -1
    return X, y, known


def iris():
    X, y = load_iris(return_X_y=True)
    known = y.copy()
    known[np.random.RandomState(0).rand(len(y)) < 0.7] = -1
    return X[:, :2], y, known


MODELS = {
    "LabelSpreading": lambda: LabelSpreading(kernel="knn", alpha=0.8),
    "ADPClassifier": lambda: ADPClassifier(),  # the changed line
    "n_neighbors=6": lambda: ADPClassifier(n_neighbors=6),  # LabelSpreading's 7 count the point itself
}


def main():
    print(f"{'set':10}{'points':>8}{'known':>8}   " + "".join(f"{name:>16} seconds" for name in MODELS))
    scores = {}
    for data in circles, digits, iris:
        X, y, known = data()
        line = f"{data.__name__:10}{len(y):8}{np.sum(known >= 0):8}   "
        for name, model in MODELS.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                start = time.perf_counter()
                fitted = model().fit(X, known)
                seconds = time.perf_counter() - start
            scores[data.__name__, name] = np.mean(fitted.transduction_[known < 0] == y[known < 0])
            line += f"{scores[data.__name__, name]:16.3f} {seconds:7.3f}"
        print(line)
    return scores


if __name__ == "__main__":
    main()
