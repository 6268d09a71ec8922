"""All published configurations that are imported, by family, with their published parameters."""

from __future__ import annotations

from tests import configs, configs_dense, configs_encoders, configs_moe, configs_own_code, configs_recurrent

CONFIGS = (
    configs.CONFIGS
    | configs_dense.DENSE
    | configs_encoders.ENCODERS
    | configs_own_code.OWN_CODE
    | configs_moe.MOE
    | configs_recurrent.RECURRENT
)
TOTALS = (
    configs.TOTALS
    | configs_dense.DENSE_TOTALS
    | configs_encoders.ENCODERS_TOTALS
    | configs_own_code.OWN_CODE_TOTALS
    | configs_moe.MOE_TOTALS
    | configs_recurrent.RECURRENT_TOTALS
)
