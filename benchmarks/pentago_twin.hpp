// Pentago Twist in C++ for the yardsticks of this folder: tables, the generator of distinct successors.
//
// Representation and words are those of `pentago/`: a stone is bit 9 q + 3 r + c of a 36-bit board, a move is 8 cell +
// 2 quadrant + turn, and a board is seen by the player to move.

#pragma once

#include "uct_twin.hpp"

constexpr u64 QUADRANT = 511;
constexpr u64 FULL = (u64{1} << 36) - 1;
constexpr int MOVE_SHIFT = 36;
constexpr int MAX_CHILDREN = 288;

// --- Tables ------------------------------------------------------------------------------------------------------

struct Tables {
    std::array<std::array<std::uint16_t, 512>, 2> turns{};  // the pattern after a rotation, after a flip
    std::array<std::array<std::uint32_t, 512>, 4> lines{};  // lines that a pattern in this quadrant does not break
    std::array<std::array<std::uint32_t, 512>, 4> near{};     // of which it lacks one cell in this quadrant
    std::array<std::array<std::uint32_t, 512>, 4> touched{};  // of which it has a cell or more
    std::array<u64, 32> cells{};                              // of each line
};

constexpr int cell_at(int row, int column) {
    return (row / 3 * 2 + column / 3) * 9 + row % 3 * 3 + column % 3;
}

Tables make_tables() {
    Tables tables;
    for (int pattern = 0; pattern < 512; ++pattern)
        for (int cell = 0; cell < 9; ++cell)
            if (pattern >> cell & 1) {
                const int row = cell / 3, column = cell % 3;
                tables.turns[0][pattern] |= 1 << (3 * column + 2 - row);
                tables.turns[1][pattern] |= 1 << (3 * row + 2 - column);
            }
    constexpr int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int line = 0;
    for (const auto& [down, right] : directions)
        for (int row = 0; row + 4 * down < 6; ++row)
            for (int column = 0; column < 6; ++column) {
                const int last = column + 4 * right;
                if (last < 0 || last >= 6) continue;
                int parts[4] = {};
                for (int k = 0; k < 5; ++k) {
                    const int cell = cell_at(row + k * down, column + k * right);
                    parts[cell / 9] |= 1 << cell % 9;
                    tables.cells[line] |= u64{1} << cell;
                }
                for (int quadrant = 0; quadrant < 4; ++quadrant)
                    for (int pattern = 0; pattern < 512; ++pattern) {
                        const int missing = __builtin_popcount(parts[quadrant] & ~pattern);
                        const auto bit = std::uint32_t{1} << line;
                        if (missing == 0) tables.lines[quadrant][pattern] |= bit;
                        if (missing == 1) tables.near[quadrant][pattern] |= bit;
                        if (parts[quadrant] & pattern) tables.touched[quadrant][pattern] |= bit;
                    }
                ++line;
            }
    return tables;
}

const Tables TABLES = make_tables();

// --- Rules -------------------------------------------------------------------------------------------------------

inline std::uint32_t complete_lines(u64 stones) {
    const auto& lines = TABLES.lines;
    return lines[0][stones & QUADRANT] & lines[1][stones >> 9 & QUADRANT] & lines[2][stones >> 18 & QUADRANT] &
           lines[3][stones >> 27 & QUADRANT];
}

inline u64 turned(u64 stones, int quadrant, int turn) {
    const int shift = 9 * quadrant;
    return (stones & ~(QUADRANT << shift)) | u64{TABLES.turns[turn][stones >> shift & QUADRANT]} << shift;
}

inline Outcome outcome_after(bool mover_has_line, bool other_has_line, bool full) {
    if (mover_has_line) return other_has_line ? DRAWN : LOST;
    if (other_has_line) return WON;
    return full ? DRAWN : OPEN;
}

// --- Distinct successors: see pentago/rules.py for why these are all and are distinct -----------------------------

// `Child` has mine, theirs (with the move above bit 36 of mine) and outcome.
template <class Child>
class Writer {
public:
    Writer(Child* next, u64 mine, u64 theirs)
        : next_(next), mine_(mine), theirs_(theirs), empty_(FULL & ~(mine | theirs)),
          full_(__builtin_popcountll(mine | theirs) == 35) {}

    Child* write() {
        write_elsewhere();
        write_inside();
        return next_;
    }

private:
    void put(u64 to_move, u64 other, u64 move, bool mover_has_line, bool other_has_line) {
        *next_ = Child{};
        next_->mine = to_move | move << MOVE_SHIFT;
        next_->theirs = other;
        next_->outcome = outcome_after(mover_has_line, other_has_line, full_);
        ++next_;
    }

    void write_elsewhere() {
        const auto& turns = TABLES.turns;
        for (int r = 0; r < 4; ++r) {
            const u64 mine_r = mine_ >> 9 * r & QUADRANT, theirs_r = theirs_ >> 9 * r & QUADRANT;
            const bool same_effect = turns[0][mine_r] == turns[1][mine_r] && turns[0][theirs_r] == turns[1][theirs_r];
            for (int t = 0; t < (same_effect ? 1 : 2); ++t) {
                if (turns[t][mine_r] == mine_r && turns[t][theirs_r] == theirs_r) continue;
                const u64 next_theirs = turned(theirs_, r, t), next_mine = turned(mine_, r, t);
                const bool they_have_line = complete_lines(next_theirs) != 0;
                for (int s = 0; s < 4; ++s) {
                    if (s == r) continue;
                    const u64 pattern = mine_ >> 9 * s & QUADRANT;
                    const auto open_lines = complete_lines(next_mine | QUADRANT << 9 * s);
                    for (u64 left = empty_ >> 9 * s & QUADRANT; left; left &= left - 1) {
                        const u64 bit = left & -left;
                        const u64 cell = 9 * s + __builtin_ctzll(left);
                        put(next_theirs, next_mine | bit << 9 * s, cell << 3 | (2 * r + t),
                            (open_lines & TABLES.lines[s][pattern | bit]) != 0, they_have_line);
                    }
                }
            }
        }
    }

    int idle_turn(int s) const {
        for (int r = 0; r < 4; ++r)
            for (int t = 0; t < 2; ++t)
                if (r != s && turned(mine_, r, t) == mine_ && turned(theirs_, r, t) == theirs_) return 2 * r + t;
        return -1;
    }

    void write_inside() {
        const auto& turns = TABLES.turns;
        for (int s = 0; s < 4; ++s) {
            const int shift = 9 * s;
            const u64 free = empty_ >> shift & QUADRANT;
            if (!free) continue;
            const u64 mine_s = mine_ >> shift & QUADRANT, theirs_s = theirs_ >> shift & QUADRANT;
            const auto my_open_lines = complete_lines(mine_ | QUADRANT << shift);
            const auto their_open_lines = complete_lines(theirs_ | QUADRANT << shift);
            const int idle = idle_turn(s);
            for (int t = idle < 0 ? 0 : -1; t < 2; ++t) {  // -1: the stone stays where it was put
                const u64 rotation = t < 0 ? idle : 2 * s + t;
                const u64 next_theirs_s = t < 0 ? theirs_s : turns[t][theirs_s];
                const u64 next_theirs = (theirs_ & ~(QUADRANT << shift)) | next_theirs_s << shift;
                const bool they_have_line = (their_open_lines & TABLES.lines[s][next_theirs_s]) != 0;
                const bool meets_stay = t >= 0 && idle >= 0 && next_theirs_s == theirs_s;
                const bool meets_first = t == 1 && turns[0][theirs_s] == turns[1][theirs_s];
                for (u64 left = free; left; left &= left - 1) {
                    const u64 bit = left & -left;
                    const u64 cell = shift + __builtin_ctzll(left);
                    const u64 pattern = t < 0 ? mine_s | bit : u64{turns[t][mine_s | bit]};
                    if (meets_stay && (pattern & mine_s) == mine_s) continue;
                    if (meets_first && (pattern & turns[0][mine_s]) == turns[0][mine_s]) continue;
                    put(next_theirs, (mine_ & ~(QUADRANT << shift)) | pattern << shift, cell << 3 | rotation,
                        (my_open_lines & TABLES.lines[s][pattern]) != 0, they_have_line);
                }
            }
        }
    }

    Child* next_;
    const u64 mine_, theirs_, empty_;
    const bool full_;
};
