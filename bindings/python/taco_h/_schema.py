"""The tree of a dataset, from taco:pit_schema in COLLECTION.json."""
import copy
from typing import Any, Dict

from ._errors import TacoSchemaError


class PITSchema:
    """root: {"n", "type"} of level 0; hierarchy: patterns of children by level ("1", "2", ...), each with "n", "type" and
    "id"."""

    def __init__(self, schema: Dict[str, Any]) -> None:
        if not isinstance(schema.get("root"), dict) or schema["root"].get("type") not in ("FILE", "FOLDER"):
            raise TacoSchemaError("taco:pit_schema: root has no type FILE or FOLDER")
        self.root = schema["root"]  # type: Dict[str, Any]
        self.hierarchy = schema.get("hierarchy", {})  # type: Dict[str, Any]

    def max_depth(self) -> int:
        """The deepest level: 0 if there are no FOLDERs."""
        return max((int(level) for level in self.hierarchy), default=0)

    def is_compatible(self, other: "PITSchema") -> bool:
        """The same tree, with another number of samples."""

        def tree(s: "PITSchema") -> Any:
            return s.root["type"], {k: [(p["type"], p["id"]) for p in v] for k, v in s.hierarchy.items()}

        return bool(tree(self) == tree(other))

    def with_n(self, n: int) -> "PITSchema":
        made = copy.deepcopy(self.to_dict())
        made["root"]["n"] = n
        return PITSchema(made)

    def to_dict(self) -> Dict[str, Any]:
        return {"root": self.root, "hierarchy": self.hierarchy}

    def __repr__(self) -> str:
        return "PITSchema(root=%s, max_depth=%d)" % (self.root["type"], self.max_depth())
