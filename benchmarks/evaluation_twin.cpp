// The C++ twin of the learned evaluation of Pentago Twist and of an expansion: all successors of a position, those that
// the next player wins at once, and the values of all. The yardstick of `benchmarks/evaluation.py`: the same algorithm,
// the same whole numbers and the same results as `pentago/evaluation.py` and `pentago/foresight.py`.
//
//   evaluation_twin evaluate FILE ROUNDS    the sum of the values of the file's positions, so many times
//   evaluation_twin expand FILE ROUNDS      the number and the sum of the values of all successors
//
// Each prints one line of JSON. `twin.write_network` writes the file: int64 width, int64 number of positions, then the
// arrays of `pentago.evaluation.Network` (rows, output, offset, chances) and the positions, two words each.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "pentago_twin.hpp"

// --- Wins at once ------------------------------------------------------------------------------------------------

struct Lines {  // as a part of the board has them, a bit each
    std::uint32_t complete, near, touched;
};

inline Lines joined(Lines a, Lines b) {
    return {a.complete & b.complete, (a.near & b.complete) | (a.complete & b.near), a.touched | b.touched};
}

inline u64 pattern_of(u64 stones, int quadrant) { return stones >> 9 * quadrant & QUADRANT; }

inline Lines part(int quadrant, u64 pattern) {
    return {TABLES.lines[quadrant][pattern], TABLES.near[quadrant][pattern], TABLES.touched[quadrant][pattern]};
}

inline Lines on_board(u64 stones) {
    return joined(joined(part(0, pattern_of(stones, 0)), part(1, pattern_of(stones, 1))),
                  joined(part(2, pattern_of(stones, 2)), part(3, pattern_of(stones, 3))));
}

inline std::array<Lines, 4> without_each(u64 stones) {
    const Lines part_0 = part(0, pattern_of(stones, 0)), part_1 = part(1, pattern_of(stones, 1));
    const Lines part_2 = part(2, pattern_of(stones, 2)), part_3 = part(3, pattern_of(stones, 3));
    const Lines upper = joined(part_0, part_1), lower = joined(part_2, part_3);
    return {joined(part_1, lower), joined(part_0, lower), joined(part_3, upper), joined(part_2, upper)};
}

inline int winning_turn(u64 mine, u64 theirs) {  // the first with which a stone wins, or -1
    const auto my_rests = without_each(mine), their_rests = without_each(theirs);
    for (int q = 0; q < 4; ++q)
        for (int t = 0; t < 2; ++t) {
            const Lines my = joined(my_rests[q], part(q, TABLES.turns[t][pattern_of(mine, q)]));
            const Lines their = joined(their_rests[q], part(q, TABLES.turns[t][pattern_of(theirs, q)]));
            if ((my.complete | (my.near & ~their.touched)) != 0 && their.complete == 0) return 2 * q + t;
        }
    return -1;
}

inline u64 missing_cells(std::uint32_t lines, u64 stones) {
    u64 cells = 0;
    for (; lines; lines &= lines - 1) cells |= TABLES.cells[__builtin_ctz(lines)] & ~stones;
    return cells;
}

inline u64 turned_back(u64 stones, int quadrant, int turn) {  // four rotations, or two flips, change nothing
    for (int i = 0; i < (turn == 0 ? 3 : 1); ++i) stones = turned(stones, quadrant, turn);
    return stones;
}

inline u64 spoilers(u64 mine, u64 theirs) {  // cells where a stone of the other leaves no win, FULL if there is none
    const int move = winning_turn(mine, theirs);
    if (move < 0) return FULL;
    const u64 mine_after = turned(mine, move >> 1, move & 1), theirs_after = turned(theirs, move >> 1, move & 1);
    const Lines my = on_board(mine_after), their = on_board(theirs_after);
    u64 left = missing_cells(their.near & ~my.touched, theirs_after);
    if (my.complete == 0) {
        const u64 wins = missing_cells(my.near & ~their.touched, mine_after);
        if ((wins & (wins - 1)) == 0) left |= wins;
    }
    u64 found = 0;
    for (left = turned_back(left, move >> 1, move & 1); left; left &= left - 1)
        if (winning_turn(mine, theirs | (left & -left)) < 0) found |= left & -left;
    return found;
}

struct Child {
    u64 mine, theirs;
    std::uint32_t outcome;
};

void mark_wins_at_once(u64 mine, u64 theirs, Child* first, Child* end) {
    for (u64 rotation = 0; rotation < 8; ++rotation) {
        const int quadrant = rotation >> 1, turn = rotation & 1;
        const u64 preventing = spoilers(turned(theirs, quadrant, turn), turned(mine, quadrant, turn));
        if (preventing == FULL) continue;
        for (Child* child = first; child != end; ++child)
            if ((child->mine >> MOVE_SHIFT & 7) == rotation && !(child->theirs & preventing) && child->outcome == OPEN)
                child->outcome = WON;
    }
}

// --- The network -------------------------------------------------------------------------------------------------

constexpr int STATES = 19683, BUCKETS = 9, CHANCES = 4096, STEP_BITS = 11;
constexpr int HIGHEST_SUM = CHANCES / 2 << STEP_BITS;
constexpr std::int16_t ONE = 1020;

struct File {
    std::int64_t width = 0, count = 0;
    std::vector<std::int16_t> rows, output;
    std::vector<std::int32_t> offset;
    std::vector<float> chances;
    std::vector<std::array<u64, 2>> positions;

    explicit File(const char* path) {
        std::ifstream file(path, std::ios::binary);
        file.read(reinterpret_cast<char*>(&width), sizeof width);
        file.read(reinterpret_cast<char*>(&count), sizeof count);
        if (!file || width <= 0 || count <= 0) throw std::runtime_error(std::string("cannot read ") + path);
        read(file, rows, (4 * STATES + BUCKETS) * width);
        read(file, output, BUCKETS * width);
        read(file, offset, BUCKETS);
        read(file, chances, CHANCES);
        read(file, positions, count);
        if (!file) throw std::runtime_error(std::string(path) + " is too short");
    }

private:
    template <class T>
    static void read(std::ifstream& file, std::vector<T>& values, std::size_t size) {
        values.resize(size);
        file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(size * sizeof(T)));
    }
};

template <int H>
class Network {
public:
    explicit Network(const File& file) : file_(file) {
        for (int pattern = 0; pattern < 512; ++pattern)
            for (int cell = 8; cell >= 0; --cell) ternary_[pattern] = 3 * ternary_[pattern] + (pattern >> cell & 1);
    }

    float value(u64 mine, u64 theirs) {
        const int bucket = std::min(__builtin_popcountll(mine | theirs) / 4, BUCKETS - 1);
        share(mine, theirs, 3, bucket);
        return chance(row(mine, theirs, 3), bucket);
    }

    void values_for_mover(u64 mine, u64 theirs, const Child* first, const Child* end, float* values) {
        const int bucket = std::min((__builtin_popcountll(mine | theirs) + 1) / 4, BUCKETS - 1);
        u64 group = ~u64{0};
        for (const Child* child = first; child != end; ++child, ++values) {
            if (child->outcome != OPEN) {
                *values = child->outcome == LOST ? 1.0f : child->outcome == WON ? 0.0f : 0.5f;
                continue;
            }
            const u64 move = child->mine >> MOVE_SHIFT, placed = (move >> 3) / 9;
            if (group != (placed << 3 | (move & 7))) {
                group = placed << 3 | (move & 7);
                share(child->mine, child->theirs, static_cast<int>(placed), bucket);
            }
            *values = 1.0f - chance(row(child->mine, child->theirs, static_cast<int>(placed)), bucket);
        }
    }

private:
    const std::int16_t* row(u64 mine, u64 theirs, int quadrant) const {
        const int state = ternary_[pattern_of(mine, quadrant)] + 2 * ternary_[pattern_of(theirs, quadrant)];
        return &file_.rows[(std::size_t{STATES} * quadrant + state) * H];
    }

    void share(u64 mine, u64 theirs, int left_out, int bucket) {
        const std::int16_t* const bias = &file_.rows[(std::size_t{4} * STATES + bucket) * H];
        const std::int16_t* const a = row(mine, theirs, left_out ^ 1);
        const std::int16_t* const b = row(mine, theirs, left_out ^ 2);
        const std::int16_t* const c = row(mine, theirs, left_out ^ 3);
        for (int k = 0; k < H; ++k) shared_[k] = static_cast<std::int16_t>(bias[k] + a[k] + b[k] + c[k]);
    }

    float chance(const std::int16_t* row, int bucket) const {
        const std::int16_t* const output = &file_.output[std::size_t{H} * bucket];
        int total = 0;
        for (int k = 0; k < H; ++k) {
            const auto h = static_cast<std::int16_t>(shared_[k] + row[k]);
            total += std::clamp<std::int16_t>(h, 0, ONE) * output[k];
        }
        const int place = (total + file_.offset[bucket] + HIGHEST_SUM) >> STEP_BITS;
        return file_.chances[std::clamp(place, 0, CHANCES - 1)];
    }

    const File& file_;
    std::array<int, 512> ternary_{};
    alignas(64) std::array<std::int16_t, H> shared_{};
};

// --- The command line --------------------------------------------------------------------------------------------

double seconds_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }  // of processor time

template <int H>
void run(const File& file, bool expands, long rounds) {
    Network<H> network(file);
    std::array<Child, MAX_CHILDREN> children;
    std::array<float, MAX_CHILDREN> values;
    const double start = seconds_now();
    double total = 0;
    long count = 0;
    for (long round = 0; round < rounds; ++round)
        for (const auto& [mine, theirs] : file.positions) {
            if (!expands) {
                total += network.value(mine, theirs);
                ++count;
                continue;
            }
            Child* const end = Writer<Child>(children.data(), mine, theirs).write();
            mark_wins_at_once(mine, theirs, children.data(), end);
            network.values_for_mover(mine, theirs, children.data(), end, values.data());
            for (long i = 0; i < end - children.data(); ++i) total += values[i];
            count += end - children.data();
        }
    std::printf("{\"values\": %ld, \"total\": %.9g, \"seconds\": %.6f}\n", count, total, seconds_now() - start);
}

int main(int count, char** arguments) {
    const std::string mode = count == 4 ? arguments[1] : "";
    if (mode != "evaluate" && mode != "expand") {
        std::fprintf(stderr, "usage: evaluation_twin evaluate|expand FILE ROUNDS\n");
        return 2;
    }
    try {
        const File file(arguments[2]);
        const long rounds = std::strtol(arguments[3], nullptr, 10);
        if (file.width == 32) run<32>(file, mode == "expand", rounds);
        else if (file.width == 64) run<64>(file, mode == "expand", rounds);
        else if (file.width == 128) run<128>(file, mode == "expand", rounds);
        else if (file.width == 256) run<256>(file, mode == "expand", rounds);
        else throw std::runtime_error("a width of 32, 64, 128 or 256 is wanted, not " + std::to_string(file.width));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
