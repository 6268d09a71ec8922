"""All published configurations that are imported, by family, with their published parameters."""

from __future__ import annotations

from tests import configs, configs_moe

CONFIGS = configs.CONFIGS | configs_moe.MOE
TOTALS = configs.TOTALS | configs_moe.MOE_TOTALS
