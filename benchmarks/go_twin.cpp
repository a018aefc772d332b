// The C++ twin of the light playouts of Go: the algorithm of `go/chains.py` and `go/playouts.py` (pseudo-liberties as
// number, sum and sum of squares; chains in circles, the smaller one relabelled; a list of the empty points), with
// random numbers drawn in the same order, so that the same seed gives the same games. It is the yardstick of
// `benchmarks/go_playouts.py`: what a C++ programmer would write, without tricks.
// It has no words of eight neighbours (AROUND in `go/layout.py`), and branches where ours computes for all neighbours.
//
//   go_twin playouts SIZE KOMI N SEED             N playouts from the empty board of 5, 9, 13 or 19 rows
//   go_twin playouts-union-find SIZE KOMI N SEED  the same games, with union-find instead of relabelling
//
// It prints one line of JSON: sums over the playouts of moves (both passes counted), of black's points less white's
// (without komi), of black's wins and of draws. A point is row * STRIDE + column, both from 1, with an edge all around.
//
// Layouts that were tried, in thousands of playouts a second on 9x9 and on 19x19: arrays by field with 32-bit indices
// 149, 34.4 (these); with 16-bit ones 140, 33.1; with 64-bit ones 147, 32.1; the three sums in words of their own 132,
// 30.4; an array of points 131, 29.5. Union-find instead of relabelling makes 0.90 and 0.89 of
// these with path halving (path splitting and full compression are no faster), 0.62 and 0.58 with paths as they are.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// --- Random numbers: PCG32, XSH-RR 64/32 -------------------------------------------------------------------------

struct Pcg32 {
    u64 state, increment;

    explicit Pcg32(u64 seed, u64 sequence = 54) : increment(sequence << 1 | 1) {
        state = (increment + seed) * 6364136223846793005u + increment;
    }

    u32 next() {
        const u64 old = state;
        state = old * 6364136223846793005u + increment;
        const auto shifted = static_cast<u32>((old >> 18 ^ old) >> 27);
        const auto rotation = static_cast<u32>(old >> 59);
        return shifted >> rotation | shifted << (-rotation & 31);
    }

    u32 below(u32 n) { return static_cast<u32>(u64{next()} * n >> 32); }
};

// --- The board ---------------------------------------------------------------------------------------------------

enum Colour : std::uint8_t { EMPTY = 0, BLACK = 1, WHITE = 2, OFF = 3 };  // OFF is beyond the edge

constexpr Colour opponent(Colour colour) { return static_cast<Colour>(BLACK + WHITE - colour); }

// The pseudo-liberties of a chain: an empty point counts once for each stone of the chain beside it.
class Liberties {
public:
    constexpr Liberties() = default;
    constexpr explicit Liberties(u64 point) : word_(point * point << 34 | point << 12 | 1) {}

    void operator+=(Liberties other) { word_ += other.word_; }
    void operator-=(Liberties other) { word_ -= other.word_; }

    bool are_none() const { return word_ == 0; }
    u64 number() const { return word_ & 4095; }
    u32 mean() const { return (word_ >> 12 & ((1 << 22) - 1)) / number(); }
    bool are_all(u32 point) const { return word_ == number() * Liberties(point).word_; }

private:
    u64 word_ = 0;  // their number, from bit 12 on the sum of their points, from bit 34 on the sum of the squares
};

// How the head of a stone's chain is found.
enum class Heads {
    WRITTEN,  // it is written at every stone, anew for the smaller chain at a merger
    FOLLOWED,  // union-find by size with path halving: a stone has a parent, a head is its own, a merger writes one
};

template <u32 SIZE, Heads HEADS>
class Board {
public:
    Board() {
        colour_.fill(OFF);
        for (u32 row = 1; row <= SIZE; ++row)
            for (u32 p = row * STRIDE + 1; p <= row * STRIDE + SIZE; ++p) {
                colour_[p] = EMPTY;
                add_to_empties(p);
            }
    }

    // Uniformly random moves that fill no own one-point eye, to two passes; returns how many.
    u32 play_out(Pcg32& random) {
        u32 moves = 0;
        for (; passes_ < 2 && moves < 3 * SIZE * SIZE; ++moves) play(random_move(random));
        return moves;
    }

    // Black's points less white's, where every empty point is beside stones.
    int score() const {
        int score = 0;
        for (u32 row = 1; row <= SIZE; ++row)
            for (u32 p = row * STRIDE + 1; p <= row * STRIDE + SIZE; ++p) {
                u32 owner = colour_[p];
                if (owner == EMPTY)
                    for (const u32 q : beside(p))
                        if (colour_[q] != OFF) owner |= colour_[q];
                score += (owner == BLACK) - (owner == WHITE);
            }
        return score;
    }

private:
    static constexpr u32 STRIDE = SIZE + 1, AREA = (SIZE + 2) * STRIDE + 1;
    static constexpr u32 PASS = 0, NOWHERE = 0;

    static constexpr std::array<u32, 4> beside(u32 p) { return {p - STRIDE, p - 1, p + 1, p + STRIDE}; }

    u32 head_of(u32 p) {
        u32 head = chain_[p];
        if constexpr (HEADS == Heads::FOLLOWED)
            for (u32 above = chain_[head]; above != head; above = chain_[head]) {
                chain_[p] = above;
                p = above;
                head = chain_[p];
            }
        return head;
    }

    u32 random_move(Pcg32& random) {
        for (u32 count = empty_count_; count > 0; --count) {
            const u32 i = random.below(count), p = empties_[i];
            if (p != ko_ && !is_own_eye(p) && !is_suicide(p)) return p;
            const u32 last = empties_[count - 1];
            empties_[count - 1] = p;
            empties_[i] = last;
            link_[p] = count - 1;
            link_[last] = i;
        }
        return PASS;
    }

    void play(u32 p) {
        const Colour colour = to_move_;
        to_move_ = opponent(colour);
        ko_ = NOWHERE;
        if (p == PASS) {
            ++passes_;
            return;
        }
        passes_ = 0;
        // One stone for one: the capturing stone stands alone, and its only liberty is where the captured one stood.
        if (put(p, colour) == 1 && chain_[p] == p && stones_[p] == 1 && liberties_[p].number() == 1)
            ko_ = liberties_[p].mean();
    }

    u32 put(u32 p, Colour colour) {
        const auto around = beside(p);
        take_from_empties(p);
        colour_[p] = colour;
        chain_[p] = link_[p] = p;
        stones_[p] = 1;
        Liberties own;
        for (const u32 q : around) {
            if (colour_[q] == EMPTY)
                own += Liberties(q);
            else if (colour_[q] != OFF)
                liberties_[head_of(q)] -= Liberties(p);
        }
        liberties_[p] = own;
        u32 head = p;
        for (const u32 q : around)
            if (colour_[q] == colour && head_of(q) != head) head = merge(head, head_of(q));
        u32 captured = 0;
        for (const u32 q : around)
            if (colour_[q] == opponent(colour) && liberties_[head_of(q)].are_none()) captured += remove(head_of(q));
        return captured;
    }

    u32 merge(u32 head, u32 other) {
        if (stones_[head] < stones_[other]) std::swap(head, other);
        stones_[head] += stones_[other];
        liberties_[head] += liberties_[other];
        u32 stone = other;
        do {
            chain_[stone] = head;
            stone = link_[stone];
        } while (HEADS == Heads::WRITTEN && stone != other);
        std::swap(link_[head], link_[other]);
        return head;
    }

    u32 remove(u32 head) {
        u32 stone = head;
        do {
            const u32 next = link_[stone];
            colour_[stone] = EMPTY;
            add_to_empties(stone);
            for (const u32 q : beside(stone))
                if (colour_[q] == BLACK || colour_[q] == WHITE) liberties_[head_of(q)] += Liberties(stone);
            stone = next;
        } while (stone != head);
        return stones_[head];
    }

    void add_to_empties(u32 p) {
        empties_[empty_count_] = p;
        link_[p] = empty_count_++;
    }

    void take_from_empties(u32 p) {
        const u32 last = empties_[--empty_count_], index = link_[p];
        empties_[index] = last;
        link_[last] = index;
    }

    bool is_suicide(u32 p) {
        for (const u32 q : beside(p)) {
            if (colour_[q] == EMPTY) return false;
            if (colour_[q] != OFF && liberties_[head_of(q)].are_all(p) != (colour_[q] == to_move_)) return false;
        }
        return true;
    }

    bool is_own_eye(u32 p) const {
        if (!(colour_[p - STRIDE] & colour_[p - 1] & colour_[p + 1] & colour_[p + STRIDE] & to_move_)) return false;
        u32 spoilt = 0, at_edge = 0;
        for (const u32 q : {p - STRIDE - 1, p - STRIDE + 1, p + STRIDE - 1, p + STRIDE + 1}) {
            spoilt += colour_[q] == opponent(to_move_);
            at_edge |= colour_[q] == OFF;
        }
        return spoilt + at_edge < 2;
    }

    std::array<Colour, AREA> colour_{};
    std::array<u32, AREA> chain_{};  // of a stone: the head of its chain, or its parent
    std::array<u32, AREA> link_{};  // the next stone of the chain; of an empty point, its place in the list
    std::array<u32, AREA> stones_{};  // by the head of a chain
    std::array<Liberties, AREA> liberties_{};  // by the head of a chain
    std::array<u32, SIZE * SIZE> empties_{};
    u32 empty_count_ = 0, ko_ = NOWHERE, passes_ = 0;
    Colour to_move_ = BLACK;
};

// --- The command line --------------------------------------------------------------------------------------------

// Of the processor, so that what else the machine does is not counted.
double seconds_now() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

template <u32 SIZE, Heads HEADS>
int run_playouts(double komi, long count, u64 seed) {
    const Board<SIZE, HEADS> empty;
    Pcg32 random(seed);
    const double start = seconds_now();
    long moves = 0, points = 0, wins = 0, draws = 0;
    for (long i = 0; i < count; ++i) {
        Board<SIZE, HEADS> board = empty;
        moves += board.play_out(random);
        const int score = board.score();
        points += score;
        wins += score > komi;
        draws += score == komi;
    }
    const double seconds = seconds_now() - start;
    std::printf("{\"playouts\": %ld, \"moves\": %ld, \"points\": %ld, \"wins\": %ld, \"draws\": %ld, ", count, moves,
                points, wins, draws);
    std::printf("\"seconds\": %.6f}\n", seconds);
    return 0;
}

int usage() {
    std::fprintf(stderr, "usage: go_twin playouts|playouts-union-find SIZE KOMI N SEED   (SIZE is 5, 9, 13 or 19)\n");
    return 2;
}

template <Heads HEADS>
int run_on(int size, double komi, long count, u64 seed) {
    switch (size) {
        case 5: return run_playouts<5, HEADS>(komi, count, seed);
        case 9: return run_playouts<9, HEADS>(komi, count, seed);
        case 13: return run_playouts<13, HEADS>(komi, count, seed);
        case 19: return run_playouts<19, HEADS>(komi, count, seed);
    }
    return usage();
}

int main(int count, char** arguments) {
    if (count != 6) return usage();
    const std::string command = arguments[1];
    const int size = std::atoi(arguments[2]);
    const double komi = std::strtod(arguments[3], nullptr);
    const long playouts = std::strtol(arguments[4], nullptr, 10);
    const u64 seed = std::strtoull(arguments[5], nullptr, 10);
    if (command == "playouts") return run_on<Heads::WRITTEN>(size, komi, playouts, seed);
    if (command == "playouts-union-find") return run_on<Heads::FOLLOWED>(size, komi, playouts, seed);
    return usage();
}
