"""All published configurations that are imported, by family, with their published parameters."""

from __future__ import annotations

from tests import (
    configs,
    configs_dense,
    configs_encoders,
    configs_further,
    configs_moe,
    configs_outputs,
    configs_own_code,
    configs_recurrent,
    configs_vision,
)

CONFIGS = (
    configs.CONFIGS
    | configs_dense.DENSE
    | configs_encoders.ENCODERS
    | configs_own_code.OWN_CODE
    | configs_moe.MOE
    | configs_recurrent.RECURRENT
    | configs_further.FURTHER
    | configs_vision.VISION
    | configs_outputs.OUTPUTS
)
TOTALS = (
    configs.TOTALS
    | configs_dense.DENSE_TOTALS
    | configs_encoders.ENCODERS_TOTALS
    | configs_own_code.OWN_CODE_TOTALS
    | configs_moe.MOE_TOTALS
    | configs_recurrent.RECURRENT_TOTALS
    | configs_further.FURTHER_TOTALS
    | configs_vision.VISION_TOTALS
    | configs_outputs.OUTPUTS_TOTALS
)
