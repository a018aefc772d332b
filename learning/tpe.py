"""TPE: values are proposed where trials went well so far. For a few numbers that may be best far from the start.

J. Bergstra et al., "Algorithms for Hyper-Parameter Optimization", 2011; by Optuna, an optional library, with all
parameters in one model. In a trial the agent with proposed values plays a batch of pairs against the agent at the
start; the mean of the points is what the trial is worth.
"""

import math
import random
from collections.abc import Mapping, Sequence
from statistics import fmean

import optuna
from optuna.distributions import BaseDistribution, FloatDistribution, IntDistribution
from optuna.trial import TrialState

from learning.parameters import Parameter, options_of

BEST = 0.25  # the share of trials whose mean is chosen: the luckiest trial alone would mostly be chosen for its luck


class Tpe:
    """A study of Optuna in memory; see `parameters.Method` for what each member means."""

    name = f"tpe of Optuna {optuna.__version__}"

    def __init__(self, parameters: Sequence[Parameter], seed: int) -> None:
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._parameters, self._space = tuple(parameters), {p.name: _distribution(p) for p in parameters}
        sampler = optuna.samplers.TPESampler(multivariate=True, seed=random.Random(seed).getrandbits(32))
        self._study = optuna.create_study(direction="maximize", sampler=sampler)
        starts = {p.name: int(p.start) if p.is_whole else p.start for p in parameters}
        # An agent against itself is worth 1 point: this trial need not be played.
        self._study.add_trial(optuna.trial.create_trial(params=starts, distributions=self._space, value=1.0))
        self._trial = self._study.ask(self._space)

    @property
    def values(self) -> list[float]:
        """The mean of the best quarter of all trials; the values at the start count as a trial."""
        trials = self._study.get_trials(deepcopy=False, states=[TrialState.COMPLETE])
        best = sorted(trials, key=lambda trial: -(trial.value or 0))[: math.ceil(BEST * len(trials))]
        return [fmean(trial.params[parameter.name] for trial in best) for parameter in self._parameters]

    def compared(self, number: int) -> tuple[dict[str, str], dict[str, str]]:
        """The options with the proposed values, and those at the start; the same for a whole batch."""
        proposed = [self._trial.params[parameter.name] for parameter in self._parameters]
        return options_of(self._parameters, proposed), options_of(self._parameters, [p.start for p in self._parameters])

    def learn(self, points: Mapping[int, float | None]) -> None:
        """End the trial, which does not count if none of its pairs does, and begin the next."""
        counted = [brought for brought in points.values() if brought is not None]
        mean, state = (fmean(counted), TrialState.COMPLETE) if counted else (None, TrialState.FAIL)
        self._study.tell(self._trial, mean, state)
        self._trial = self._study.ask(self._space)


def _distribution(parameter: Parameter) -> BaseDistribution:
    """All values that may be proposed."""
    if parameter.is_whole:
        return IntDistribution(math.ceil(parameter.least), math.floor(parameter.most))
    return FloatDistribution(parameter.least, parameter.most)
