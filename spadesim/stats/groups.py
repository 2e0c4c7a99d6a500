"""Groups of blocks: the units from whose spread error bars are estimated.

Blocks are independent, and so are sums over disjoint sets of them. The first blocks are groups by themselves; later
groups grow with the run. So what must be kept for a table grows only with the logarithm of its games, while there are
always thousands of groups. Which group a block belongs to depends on its number alone, so a run can be extended.
"""

import numpy as np
import numpy.typing as npt

SINGLETON_BLOCKS = 2048  # the first blocks are groups by themselves
GROUPS_PER_DOUBLING = SINGLETON_BLOCKS // 2  # groups from there on, each time the number of blocks doubles


def group_of(block: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return the number of a block's group.

    Parameters
    ----------
    block
        0 … 2**53 - 1.

    Returns
    -------
    int64
        The block's own number below SINGLETON_BLOCKS; above, blocks 2**k · SINGLETON_BLOCKS …
        2**(k+1) · SINGLETON_BLOCKS - 1 share GROUPS_PER_DOUBLING groups.
    """
    block = np.asarray(block, np.int64)
    octave = np.frexp(np.maximum(block, SINGLETON_BLOCKS) // SINGLETON_BLOCKS)[1].astype(np.int64) - 1
    start, width = SINGLETON_BLOCKS << octave, 2 << octave
    return np.where(
        block < SINGLETON_BLOCKS, block, SINGLETON_BLOCKS + GROUPS_PER_DOUBLING * octave + (block - start) // width
    )
