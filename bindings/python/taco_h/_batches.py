"""Batches of payloads for training, in an order that every process computes independently."""
import os
import weakref
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from . import _native


class Batches:
    """Payloads of a dataset's rows in batches: batches[k] is batch k of the order, for any k at any time, and iteration
    starts at the first. It can be passed to torch.utils.data.DataLoader(batches, batch_size=None, num_workers=N): each
    worker process reopens the dataset, and batches arrive in order.

    A batch is decode([payload, ...]), or the list of payloads if decode is None. The files are closed by close(), and by that
    of the dataset; every later call is a ValueError.
    """

    def __init__(self, paths: List[str], column_mode: int, base_path: Optional[str], query: Tuple[Any, ...],
                 order: Tuple[Any, ...], batch_size: int, decode: Optional[Callable[[List[bytes]], Any]]) -> None:
        if batch_size < 1:
            raise ValueError("batch_size is %d, the least is 1" % batch_size)
        self._open = (tuple(paths), column_mode, base_path)
        self._query, self._order = query, order
        self._batch_size, self._decode = batch_size, decode
        self._first = 0
        self._process = -1
        self._dataset = self._loader = None  # type: Any
        self._closed = False
        # those that are closed together
        self._together = weakref.WeakSet()  # type: weakref.WeakSet[Batches]
        self._count = _native.loader_count(self._handle(1))

    def _handle(self, ahead: int) -> Any:
        """The loader of this process: a loader opened before a fork is not used after it."""
        self._check()
        if self._process != os.getpid():
            self._dataset = _native.open(*self._open)
            self._loader = _native.loader(*((self._dataset,) + self._query + self._order + (self._batch_size, ahead)))
            self._process = os.getpid()
        return self._loader

    def _check(self) -> None:
        if self._closed:
            raise ValueError("the batches are closed, or their dataset is")

    def closed_with(self, together: "weakref.WeakSet[Batches]") -> "Batches":
        """Adds these to those that are closed together."""
        self._together = together
        together.add(self)
        return self

    def close(self) -> None:
        """Closes the files of this process."""
        self._closed = True
        if self._process == os.getpid():
            _native.close(self._dataset)

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(self.__dict__)
        state["_dataset"] = state["_loader"] = None
        state["_process"] = -1
        del state["_together"]
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._together = weakref.WeakSet()

    def __len__(self) -> int:
        self._check()
        return max(0, -(-self._count // self._batch_size) - self._first)

    def rows_and_payloads(self, k: int) -> Tuple[List[int], List[bytes]]:
        """Batch k: the positions of its samples among the rows, and their payloads."""
        if not 0 <= k < len(self):
            raise IndexError("batch %d of %d" % (k, len(self)))
        try:
            batch = _native.loader_batch(self._handle(1), (self._first + k) * self._batch_size)
        except Exception:
            self._process = -1  # a loader that failed is not used again
            raise
        assert batch is not None
        return batch

    def __getitem__(self, k: int) -> Any:
        payloads = self.rows_and_payloads(k)[1]
        return self._decode(payloads) if self._decode else payloads

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def start(self, k: int) -> "Batches":
        """The same batches starting at the k-th, to resume an interrupted run."""
        self._check()
        made = self.__class__.__new__(self.__class__)
        made.__setstate__(self.__getstate__())
        made._first = self._first + k
        return made.closed_with(self._together)
