"""Batches of payloads for training, in an order that every process computes independently."""
import os
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from . import _native


class Batches:
    """Payloads of a dataset's rows in batches: batches[k] is batch k of the order, for any k at any time, and iteration
    starts at the first. It can be passed to torch.utils.data.DataLoader(batches, batch_size=None, num_workers=N): each
    worker process reopens the dataset, and batches arrive in order.

    A batch is decode([payload, ...]), or the list of payloads if decode is None.
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
        self._loader = None  # type: Any
        self._count = _native.loader_count(self._handle(1))

    def _handle(self, ahead: int) -> Any:
        """The loader of this process: a loader opened before a fork is not used after it."""
        if self._process != os.getpid():
            dataset = _native.open(*self._open)
            self._loader = _native.loader(*((dataset,) + self._query + self._order + (self._batch_size, ahead)))
            self._process = os.getpid()
        return self._loader

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(self.__dict__)
        state["_loader"], state["_process"] = None, -1
        return state

    def __len__(self) -> int:
        return max(0, -(-self._count // self._batch_size) - self._first)

    def rows_and_payloads(self, k: int) -> Tuple[List[int], List[bytes]]:
        """Batch k: the positions of its samples among the rows, and their payloads."""
        if not 0 <= k < len(self):
            raise IndexError("batch %d of %d" % (k, len(self)))
        batch = _native.loader_batch(self._handle(1), (self._first + k) * self._batch_size)
        assert batch is not None
        return batch

    def __getitem__(self, k: int) -> Any:
        payloads = self.rows_and_payloads(k)[1]
        return self._decode(payloads) if self._decode else payloads

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def start(self, k: int) -> "Batches":
        """The same batches starting at the k-th, to resume an interrupted run."""
        made = self.__class__.__new__(self.__class__)
        made.__dict__.update(self.__getstate__())
        made._first = self._first + k
        return made
