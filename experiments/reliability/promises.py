"""The promises of the library: what is promised, the tests that hold it, figures, and what peers say.

A new promise is one `Promise` in its room. Tests are named by node ids without parameters; a class or a file
stands for all tests in it. A figure is a property that a test records with pytest's `record_property`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from experiments.reliability import peers
from experiments.reliability.peers import Said


@dataclass(frozen=True, slots=True)
class Figure:
    """A property that tests record, the sentence that it stands in, and what is taken over all cases."""

    name: str
    sentence: str
    over_cases: Literal["largest", "least", "sum"] = "largest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """One sentence, and what holds it; `peers` by the names in `experiments.reliability.peers.NAMES`."""

    title: str
    tests: tuple[str, ...]
    figures: tuple[Figure, ...] = ()
    peers: Mapping[str, Said | tuple[Said, ...]] = field(default_factory=dict)


Rooms = Mapping[str, tuple[Promise, ...]]


RIGHT_NUMBERS = (
    Promise(
        title="Every random table has exactly the margins that were asked for.",
        tests=(
            "tests/null/test_permutation.py::test_margins_are_exact_and_cells_not_negative",
            "tests/null/test_stages.py::test_every_choice_keeps_the_margins_and_each_cell_its_law",
        ),
        peers={"scipy": peers.SAME_SUMS},
    ),
    Promise(
        title="Random tables follow the law that full enumeration gives, and a wrong sampler is found out.",
        tests=(
            "tests/null/test_permutation.py::test_law_equals_enumeration",
            "tests/null/test_permutation.py::test_negative_control_a_wrong_sampler_fails",
            "tests/null/test_stages.py::test_law_equals_enumeration",
        ),
        figures=(
            Figure("tables", "{} tables compared with their law", "sum"),
            Figure("least_p", "least chi-square p-value {}", "least"),
            Figure("wrong_p", "of a wrong sampler at most {}"),
        ),
        peers={"scipy": peers.TWO_ALGORITHMS},
    ),
    Promise(
        title="Random partitions of the other models follow their laws, by enumeration.",
        tests=(
            "tests/null/test_partitions.py::TestTables::test_joint_law_equals_enumeration",
            "tests/null/test_partitions.py::TestSizes::test_negative_controls",
            "tests/exact/moments/test_models.py::test_all_pairs_of_partitions",
        ),
    ),
    Promise(
        title="Simulated means and variances agree with those over all tables.",
        tests=(
            "tests/test_against_enumeration.py::test_mean_and_variance_agree_with_enumeration",
            "tests/test_against_enumeration.py::test_negative_control_a_wrong_sampler_fails",
        ),
    ),
    Promise(
        title="The stated error of a mean or variance by quadrature covers the true one.",
        tests=(
            "tests/exact/moments/test_quadrature.py::test_stated_errors_cover_the_true_ones_on_random_margins",
            "tests/exact/moments/test_huge_tables.py"
            "::test_stated_errors_cover_the_true_ones_where_rules_share_nodes",
        ),
        figures=(
            Figure("claims", "{} stated errors", "sum"),
            Figure("largest_share", "the largest true error is {} of the stated one"),
        ),
        peers={"scipy": peers.AN_ESTIMATE},
    ),
    Promise(
        title="All methods agree within the errors that they state.",
        tests=("tests/correction/test_methods.py::test_the_three_methods_agree_within_their_stated_errors",),
    ),
    Promise(
        title="The stated error of a p-value by counting covers the truth in 95 of 100 cases.",
        tests=("tests/correction/test_p_value.py::test_error_of_a_count_covers",),
        figures=(Figure("least_coverage", "least coverage {}", "least"),),
        peers={"scipy": peers.CONSERVATIVE},
    ),
    Promise(
        title="Only a proven bound is shown with `≤`; if no table is as extreme, the 95 % limit is stated.",
        tests=(
            "tests/correction/test_tails.py::test_no_table_as_extreme_is_no_bound",
            "tests/correction/test_tails.py::test_what_is_printed",
            "tests/ensembles/test_similarity.py::test_no_permutation_as_extreme",
        ),
        peers={"scipy": peers.CONSERVATIVE},
    ),
    Promise(
        title="Values that differ by rounding alone are ties in a p-value.",
        tests=(
            "tests/correction/test_distribution.py::TestPValue::test_ties_count_across_rounding",
            "tests/kinds/test_one_float.py::test_no_atom_is_split",
        ),
        peers={"scipy": peers.TIES},
    ),
    Promise(
        title="The law of a table of 2 by 2 is exact for three billion objects, far into its tail.",
        tests=(
            "tests/correction/test_two_by_two.py::TestBillionsOfObjects",
            "tests/exact/laws/test_closed.py::test_two_by_two_of_a_billion",
            "tests/exact/laws/test_closed.py::test_far_tails_keep_their_digits",
        ),
        figures=(Figure("relative_error", "largest relative error of a logarithm of p {}"),),
        peers={"scipy": peers.HYPERGEOMETRIC},
    ),
    Promise(
        title="A degenerate table gets a value, or nan with a remark, never a silent 0 or a warning.",
        tests=(
            "tests/catalogue/test_degenerate.py::test_an_answer_or_a_refusal",
            "tests/catalogue/test_edges.py::test_trivial_clusterings",
        ),
    ),
)

SAME_BITS = (
    Promise(
        title="The same seed gives the same bits as in the last version, or the changelog says so.",
        tests=(
            "tests/golden/test_golden.py::test_sampled_tables_and_pair_sums",
            "tests/golden/test_golden.py::test_every_kind_of_index_under_every_model",
            "tests/golden/test_golden.py::test_tables_shared_by_workers",
        ),
        peers={
            "scipy": peers.SEED_REPEATS,
            "numpy": (peers.SAME_BUILD, peers.FROZEN),
            "dask": peers.MAY_CHANGE,
        },
    ),
    Promise(
        title="The bits do not depend on the number of workers, nor on how tables are cut into blocks.",
        tests=(
            "tests/simulation/test_workers.py::TestSameBits",
            "tests/correction/test_models.py::test_same_bits_for_any_blocks_and_workers",
        ),
        peers={
            "scipy": peers.SEED_REPEATS,
            "joblib": peers.SEED_EACH_TASK,
            "dask": peers.CHUNKS_NOT_STATED,
        },
    ),
    Promise(
        title="The bits are the same in threads, in processes of loky, and on Dask.",
        tests=(
            "tests/simulation/test_workers.py::TestSameBits::test_processes",
            "tests/simulation/test_workers.py::TestDask::test_same_bits",
            "tests/simulation/test_dask_client.py::TestOneWorker::test_same_bits",
        ),
        peers={"joblib": peers.SEED_EACH_TASK, "dask": peers.CHUNKS_NOT_STATED},
    ),
    Promise(
        title="The bits are the same when a Dask worker is killed in the middle.",
        tests=(
            "tests/simulation/test_workers.py::TestDask::test_same_bits_when_a_worker_is_killed_in_the_middle",
        ),
        peers={"joblib": peers.LOSS_NOT_STATED, "dask": peers.RECOMPUTED},
    ),
    Promise(
        title="Tables drawn side by side have the bits of tables drawn one by one.",
        tests=(
            "tests/null/test_lanes.py::test_lanes_equal_tables_drawn_one_by_one",
            "tests/null/test_lanes.py::test_lanes_equal_tables_drawn_one_by_one_in_close_decisions",
            "tests/null/test_lanes.py::test_neither_batch_nor_first_table_shows",
        ),
    ),
    Promise(
        title="Workers with other processors give the same bits.",
        tests=(
            "tests/simulation/test_processors.py",
            "tests/null/test_lanes.py::test_other_processors_give_the_same_bits",
        ),
        figures=(
            Figure("indices", "{} indices"),
            Figure("different", "{} of them differ where the worker evaluates everything (control)"),
        ),
        peers={"numpy": peers.OTHER_PROCESSORS},
    ),
    Promise(
        title="A large table listed by its cells gives the bits of the same table laid out.",
        tests=(
            "tests/simulation/test_large_tables.py::test_the_tables_are_the_same",
            "tests/simulation/test_large_tables.py::test_the_values_have_the_same_bits",
        ),
    ),
    Promise(
        title="Permutations of the objects have the same bits for any number of workers.",
        tests=("tests/ensembles/test_permuted.py::test_same_seed_same_bits_for_any_number_of_workers",),
        peers={"scipy": peers.SEED_REPEATS},
    ),
    Promise(
        title="A run that goes on from a checkpoint has the bits of one that was not stopped.",
        tests=(
            "tests/simulation/test_checkpoint.py::TestGoingOn",
            "tests/simulation/test_checkpoint.py::test_a_run_that_was_killed_goes_on",
            "tests/simulation/test_tally.py::TestOfANullDistribution::test_workers_and_checkpoints_change_nothing",
        ),
    ),
)

FAULTS_OF_WORKERS = (
    Promise(
        title="Dask: without workers, or with a closed cluster, the call ends with an error that says so.",
        tests=("tests/simulation/test_dask_client.py::TestNothingCanGoOn",),
        figures=(
            Figure("seconds_to_the_error", "at most {} s to the error, with the time that was granted"),
        ),
        peers={"joblib": peers.TIMEOUT, "dask": (peers.NO_WORKERS_TIMEOUT, peers.SCHEDULER_LOST)},
    ),
    Promise(
        title="Dask: an index that ends its workers is named.",
        tests=(
            "tests/simulation/test_dask_client.py::TestNothingCanGoOn::test_an_index_that_ends_its_worker_is_named",
            "tests/simulation/test_dask_client.py::TestRealLosses::test_an_index_that_ends_every_worker_that_comes",
        ),
        peers={"dask": peers.BLAMED},
    ),
    Promise(
        title="Dask: workers that come late are used.",
        tests=("tests/simulation/test_dask_client.py::TestRealLosses::test_workers_that_come_late_are_used",),
        peers={"dask": peers.WORKER_MEMORY},
    ),
    Promise(
        title="Each block counts once, however often a task runs.",
        tests=(
            "tests/simulation/test_dask_client.py::TestOneWorker"
            "::test_all_blocks_come_once_and_in_their_order",
            "tests/correction/test_distribution.py::TestTally::test_blocks_in_any_order_give_the_same_bits",
        ),
        peers={"dask": peers.RUN_AGAIN},
    ),
    Promise(
        title="Processes: one that is lost is an error that names the index, and no hang.",
        tests=(
            "tests/simulation/test_workers.py::TestProcesses::test_an_index_that_ends_its_process_is_named",
        ),
        peers={"joblib": peers.LOSS_NOT_STATED},
    ),
    Promise(
        title="An index that fails is named with the table or the counts on which it failed.",
        tests=("tests/simulation/test_workers.py::TestIndicesThatFail",),
        peers={"dask": peers.RAISED},
    ),
    Promise(
        title="Workers killed, stopped, starved or late: the same bits, or an error in the time stated.",
        tests=("tests/chaos/test_chaos.py",),
        peers={"joblib": peers.LOSS_NOT_STATED, "dask": peers.RECOMPUTED},
    ),
    Promise(
        title="A process that is forked while threads hold locks of chancecorr answers, with the same bits.",
        tests=("tests/machine/test_forking.py",),
    ),
    Promise(
        title="Calls from several threads and from event loops do not disturb each other.",
        tests=("tests/test_threads.py",),
    ),
    Promise(
        title="A function that is changed and run again is not answered by its older version.",
        tests=("tests/simulation/test_redefined.py",),
    ),
    Promise(
        title="A command whose standard streams are closed or full ends with a code and no traceback.",
        tests=("tests/cli/test_streams.py",),
    ),
)

FILES_AND_DISKS = (
    Promise(
        title="Machine code older than the sources is never used.",
        tests=(
            "tests/machine/test_compiled.py::TestAChangedKernel",
            "tests/machine/test_compiled.py::TestMembersOfAFamily",
            "tests/machine/test_kernel_sources.py",
        ),
    ),
    Promise(
        title="On a full disk the answer comes.",
        tests=("tests/machine/test_compiled.py::TestFullDisk",),
        peers={"joblib": peers.DAMAGE_NOT_STATED},
    ),
    Promise(
        title="Where nothing can be kept, the answer comes, and the user hears what to set.",
        tests=("tests/machine/test_compiled.py::TestNothingCanBeKept",),
    ),
    Promise(
        title="Importing chancecorr changes no signal handler, hook, thread or filter of the program.",
        tests=("tests/machine/test_startup.py::TestTheHostProgram",),
    ),
    Promise(
        title="A damaged file of labels is refused in one line.",
        tests=(
            "tests/cli/test_columns.py::test_texts_of_a_damaged_arrow_file",
            "tests/cli/test_columns.py::test_a_parquet_file_with_a_broken_head",
            "tests/cli/test_commands.py::test_a_file_of_another_kind",
        ),
    ),
    Promise(
        title="One flipped bit in a checkpoint or in kept results is found, or changes nothing.",
        tests=("tests/simulation/test_checkpoint.py::TestRefused", "tests/experiments/test_sealed.py"),
        peers={"joblib": peers.DAMAGE_NOT_STATED},
    ),
    Promise(
        title="On a full disk a run goes on without its checkpoint, and says so once.",
        tests=("tests/simulation/test_checkpoint.py::TestWriting",),
    ),
    Promise(
        title="The wheel and the source archive hold what they should, and the installed wheel works.",
        tests=("tests/packaging/test_files.py", "tests/packaging/test_installed.py"),
    ),
)

HOSTILE_INPUT = (
    Promise(
        title="Random input of six kinds gets an answer or a line that says what is wrong.",
        tests=("tests/experiments/test_fuzz.py",),
        figures=(
            Figure("inputs", "{} inputs", "sum"),
            Figure("calls", "{} calls answered or refused", "sum"),
        ),
    ),
    Promise(
        title="A bad argument gets one line that names it, the rule, what was given and what to do.",
        tests=(
            "tests/correction/test_request.py::test_each_keyword_is_checked_by_name",
            "tests/cli/test_commands.py::test_bad_input",
        ),
    ),
    Promise(
        title="No name makes a formula in a spreadsheet that opens the CSV.",
        tests=("tests/cli/test_output.py::test_no_cell_of_csv_starts_a_formula",),
    ),
    Promise(
        title="No name steers a terminal, in what is printed and in errors.",
        tests=(
            "tests/cli/test_output.py::test_no_command_prints_what_a_terminal_obeys",
            "tests/cli/test_output.py::test_errors_do_not_reach_the_terminal_either",
        ),
    ),
    Promise(
        title="JSON is strict: no NaN, no Infinity, names as they are.",
        tests=(
            "tests/cli/test_output.py::test_json_is_strict_and_has_the_names_as_they_are",
            "tests/cli/test_output.py::test_numbers_that_json_has_not",
        ),
    ),
    Promise(
        title="A name is text in a report and in a notebook, never markup.",
        tests=(
            "tests/cli/test_output.py::test_the_page_shows_names_as_text",
            "tests/tables/test_labels_of_clusters.py::TestPage::test_labels_are_text_and_never_markup",
        ),
    ),
    Promise(
        title="A user's compiled index is tried first: beyond an array or 64 bits is an error and no crash.",
        tests=("tests/indices/test_trial.py",),
        peers={"numpy": peers.OVERFLOW},
    ),
)

BUDGETS_AND_INTERRUPTION = (
    Promise(
        title="Ctrl-C ends a call of the library in every phase, and the next call works.",
        tests=(
            "tests/simulation/test_interruption.py::test_in_every_phase",
            "tests/simulation/test_workers.py::test_ctrl_c_stops_at_once_with_no_half_result",
            "tests/simulation/test_dask_client.py::TestOneWorker::test_an_interrupt_ends_the_call_at_once",
        ),
        figures=(Figure("seconds_to_the_end", "at most {} s from Ctrl-C to the end of the process"),),
        peers={"joblib": peers.CTRL_C},
    ),
    Promise(
        title="Ctrl-C ends a command at work with one line and exit code 130.",
        tests=("tests/cli/test_interruption.py",),
        figures=(Figure("seconds_to_the_end", "at most {} s from Ctrl-C to the end of the process"),),
    ),
    Promise(
        title="Blocks are cut by measured time, also for an index of which no forecast is known.",
        tests=("tests/simulation/test_workers.py::TestBlocksByTime",),
        figures=(Figure("largest_block", "at most {} tables a block, of an index that takes 1 ms"),),
        peers={"joblib": peers.BATCHED_BY_TIME},
    ),
    Promise(
        title="Work stays within a budget of seconds, and the answer says how many tables were drawn.",
        tests=("tests/correction/test_affordable.py", "tests/test_budget.py"),
        figures=(Figure("seconds_of_one", "{} s where 1 s was granted"),),
        peers={"joblib": peers.TIMEOUT},
    ),
    Promise(
        title="An answer or a refusal comes in seconds, also for huge or skewed margins (a small search).",
        tests=(
            "tests/experiments/test_endless.py",
            "tests/correction/test_default_tails.py::test_skewed_margins_end_in_time",
            "tests/correction/test_default_tails.py::test_random_skewed_margins_end_in_time",
        ),
        figures=(
            Figure("answers", "{} answers", "sum"),
            Figure("slowest_seconds", "the slowest in {} s"),
        ),
    ),
    Promise(
        title="An enumeration costs no more than twice what was allowed, also where the forecast is wrong.",
        tests=(
            "tests/exact/laws/test_enumeration.py"
            "::test_a_forecast_that_is_too_low_costs_no_more_than_twice_the_budget",
            "tests/exact/laws/test_enumeration.py::test_all_parts_together_stay_within_the_work_allowed",
            "tests/exact/laws/test_enumeration.py::test_all_attempts_together_stay_within_the_work_allowed",
        ),
        figures=(Figure("seconds_of_a_tenth", "{} s where 0.1 s was granted"),),
        peers={"scipy": peers.EXACT_IF_FEW},
    ),
    Promise(
        title="Tables that are too many to be listed are refused at once.",
        tests=(
            "tests/exact/laws/test_enumeration.py::test_tables_that_cannot_be_listed_are_refused_at_once",
        ),
        figures=(Figure("milliseconds", "at most {} ms"),),
        peers={"scipy": peers.EXACT_IF_FEW},
    ),
)

SCALE = (
    Promise(
        title="Pair counts and moments of a billion objects are those of exact integers.",
        tests=(
            "tests/correction/test_adjust.py::TestABillionObjects",
            "tests/null/test_permutation.py::TestLargeCounts",
            "tests/tables/test_contingency.py::test_pair_counts_do_not_overflow",
        ),
        peers={"scipy": peers.TABLE_SUMS_UNLIMITED, "numpy": peers.OVERFLOW},
    ),
    Promise(
        title="No index warns or fails on tables of billions of objects.",
        tests=(
            "tests/exact/moments/test_huge_tables.py::test_all_indices_of_billions",
            "tests/exact/moments/test_huge_tables.py::test_no_index_fails_or_warns_on_huge_unequal_cells",
        ),
        peers={"numpy": peers.OVERFLOW},
    ),
    Promise(
        title="Memory does not grow with the number of tables.",
        tests=("tests/simulation/test_workers.py::test_memory_does_not_grow_with_the_number_of_tables",),
        figures=(
            Figure("peak_mib", "peak {} MiB"),
            Figure("growth", "{} times the peak for ten times the tables"),
        ),
        peers={"scipy": peers.BATCHES, "joblib": peers.GENERATOR},
    ),
    Promise(
        title="Long arrays of integers of a small range take the memory of their table.",
        tests=("tests/tables/test_long_arrays.py",),
        figures=(Figure("peak_mib", "peak {} MiB"), Figure("labels", "for {} labels a side")),
        peers={"dask": peers.PARTITIONS},
    ),
    Promise(
        title="Files, data sets and frames are read in parts, and give the table of the whole.",
        tests=(
            "tests/tables/test_streaming.py",
            "tests/tables/test_addition.py::TestChunks::test_one_chunk_at_a_time_is_in_memory",
            "tests/tables/test_partitions.py",
        ),
        peers={"dask": peers.PARTITIONS},
    ),
    Promise(
        title="Consensus matrices are read by tiles, each cell once, from memory maps and Dask arrays.",
        tests=(
            "tests/ensembles/test_consensus.py::test_each_cell_is_read_once_and_by_tiles",
            "tests/ensembles/test_consensus.py::test_memory_does_not_grow_with_the_matrix",
            "tests/ensembles/test_consensus.py::test_memory_map",
            "tests/ensembles/test_consensus.py::test_dask_array",
            "tests/ensembles/test_consensus.py::test_each_chunk_of_a_dask_array_is_computed_once",
            "tests/ensembles/test_consensus.py::test_tiles_cover_every_pair_once_whatever_the_chunks",
        ),
        figures=(
            Figure("peak_mib", "peak {} MiB"),
            Figure("matrix_mib", "for a matrix of {} MiB"),
        ),
        peers={"dask": peers.PARTITIONS},
    ),
    Promise(
        title="Tables that no memory holds are refused before they are drawn.",
        tests=(
            "tests/test_budget.py::TestBytes",
            "tests/simulation/test_large_tables.py::TestRefusal",
            "tests/ensembles/test_consensus.py::test_a_matrix_larger_than_memory_is_refused_before_it_is_laid_out",
        ),
        peers={"dask": peers.WORKER_MEMORY},
    ),
    Promise(
        title="More distinct values than are held are rounded, by an error that is stated.",
        tests=("tests/simulation/test_tally.py",),
    ),
)

ROOMS: Rooms = {
    "Right numbers": RIGHT_NUMBERS,
    "Same bits": SAME_BITS,
    "Faults of workers": FAULTS_OF_WORKERS,
    "Files and disks": FILES_AND_DISKS,
    "Hostile input": HOSTILE_INPUT,
    "Budgets and interruption": BUDGETS_AND_INTERRUPTION,
    "Scale": SCALE,
}
