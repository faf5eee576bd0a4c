"""What every test needs before Numba is imported."""

import hashlib
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def _kernel_fingerprint() -> str:
    """Hash of all package sources: Numba's cache looks at one file's date, not at what that file calls."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "chancecorr").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".cache" / f"numba-{_kernel_fingerprint()}"))
