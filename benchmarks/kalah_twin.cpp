// The C++ twin of Kalah: the algorithm of `mancala/rules.py` (a player's pits and store are fields of one word, to which
// a move adds a row of a table), the same PCG32, the same playouts (the same random numbers give the same values), and
// the UCT of `uct_twin.hpp`. It is the yardstick of `benchmarks/kalah.py`.
//
//   kalah_twin playouts PITS STONES N SEED                       values of N playouts from the start, summed
//   kalah_twin search PITS STONES SIMULATIONS SEED C CAPACITY    UCT from the start
//   kalah_twin search-cached ...                                 the same with sqrt and log looked up in tables
//
// Each prints one line of JSON. Boards are those whose sides fit into a word, with standard captures.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "uct_twin.hpp"

struct Sowing {
    u64 own, other, last, opposite;  // what is added to both sides; shifts of the last field and of the pit opposite
};

constexpr u64 NOWHERE = 63;  // the last stone falls on the other side

struct Node {
    u64 mine;    // the side of the player to move: pits, then the store
    u64 theirs;  // the other side, with the player to move in place of the store
    u64 parent : 26, first_child : 26, count : 12;
    float score;  // for the player who chose this node
    std::uint32_t visits : 29, outcome : 2, same_mover : 1;  // same_mover: the player to move here chose this node
};

class Kalah {
public:
    using Node = ::Node;
    const int MAX_CHILDREN;

    Kalah(int pits, int stones)
        : MAX_CHILDREN(pits), pits_(pits), all_stones_(2 * pits * stones), half_(pits * stones),
          width_(64 - __builtin_clzll(all_stones_)), field_((u64{1} << width_) - 1), store_(width_ * pits),
          in_pits_((u64{1} << store_) - 1), spread_(spread(all_stones_ / width_)), table_(pits * width_ << spread_) {
        for (int i = 0; i <= pits; ++i) ones_ |= u64{1} << width_ * i;
        high_ = in_pits_ & ones_ << (width_ - 1);
        for (int pit = 0; pit < pits; ++pit)
            for (u64 stones_there = 1; stones_there <= all_stones_; ++stones_there)
                row(pit * width_, stones_there) = make_row(pit, stones_there);
    }

    Node start() const {
        u64 side = 0;
        for (int pit = 0; pit < pits_; ++pit) side |= half_ / pits_ << width_ * pit;
        return Node{side, side, 0, 0, 0, 0.0f, 0, OPEN, 0};
    }

    bool fits() const { return width_ * (pits_ + 1) <= 64; }

    static bool moves_again(const Node& node) { return node.same_mover; }

    Node* write(const Node& parent, Node* next) const {
        const u64 own = parent.mine, player = parent.theirs >> store_ & field_;
        const u64 other = with_store(own, parent.theirs);
        for (u64 pit = 0; pit < static_cast<u64>(pits_); ++pit) {
            const u64 stones = own >> pit * width_ & field_;
            if (stones == 0) continue;
            u64 mine = own, theirs = other;
            const bool again = sow(mine, theirs, pit * width_, stones);
            const Outcome outcome = outcome_for_owner(mine, theirs);
            *next = Node{};
            next->same_mover = again;
            next->outcome = again || outcome == OPEN || outcome == DRAWN ? outcome : outcome == WON ? LOST : WON;
            next->mine = again ? mine : theirs;
            next->theirs = ((again ? theirs : mine) & in_pits_) | (again ? player : player ^ 1) << store_;
            ++next;
        }
        return next;
    }

    float playout(const Node& node, Pcg32& random) const {
        u64 own = node.mine, other = with_store(own, node.theirs);
        for (bool is_first = true;;) {
            const u64 occupied = ((own & in_pits_ & ~high_) + (in_pits_ & ~high_) | own) & high_;
            const u64 chosen = random.below(__builtin_popcountll(occupied));
            const u64 shift = __builtin_ctzll(select_bit(occupied >> (width_ - 1), chosen));
            const bool again = sow(own, other, shift, own >> shift & field_);
            if (own >> store_ > half_ || (own & in_pits_) == 0 || (other & in_pits_) == 0) {
                const u64 total = all_of(own);
                return total == half_ ? 0.5f : (total > half_) == is_first ? 1.0f : 0.0f;
            }
            const u64 to_move = again ? own : other;
            other = again ? other : own;
            own = to_move;
            is_first = is_first == again;
        }
    }

    int move(const Node& parent, const Node& child) const {
        for (u64 pit = 0; pit < static_cast<u64>(pits_); ++pit) {
            u64 own = parent.mine, other = with_store(own, parent.theirs);
            const u64 stones = own >> pit * width_ & field_;
            if (stones == 0) continue;
            const bool again = sow(own, other, pit * width_, stones);
            if ((again ? own : other) == child.mine && ((again ? other : own) & in_pits_) == (child.theirs & in_pits_))
                return static_cast<int>(pit) + 1;
        }
        return 0;
    }

private:
    static int spread(u64 fewer) { return fewer == 0 ? 0 : 64 - __builtin_clzll(fewer); }

    Sowing& row(u64 shift, u64 stones) { return table_[(shift << spread_) + stones]; }
    const Sowing& row(u64 shift, u64 stones) const { return table_[(shift << spread_) + stones]; }

    Sowing make_row(int pit, u64 stones) const {
        Sowing found{};
        found.own = -(stones << width_ * pit);
        int place = pit;
        for (u64 stone = 0; stone < stones; ++stone) {
            place = (place + 1) % (2 * pits_ + 1);
            (place <= pits_ ? found.own : found.other) += u64{1} << width_ * (place <= pits_ ? place : place - pits_ - 1);
        }
        found.last = place <= pits_ ? width_ * place : NOWHERE;
        found.opposite = place < pits_ ? width_ * (pits_ - 1 - place) : 0;
        return found;
    }

    u64 all_of(u64 side) const { return side * ones_ >> store_ & field_; }

    u64 with_store(u64 own, u64 other) const {
        other &= in_pits_;
        return other | (all_stones_ - all_of(own) - all_of(other)) << store_;
    }

    bool sow(u64& own, u64& other, u64 shift, u64 stones) const {
        const Sowing& sowing = row(shift, stones);
        own += sowing.own;
        other += sowing.other;
        const u64 captured = other >> sowing.opposite & field_;
        const u64 not_empty = ((own >> sowing.last & field_) ^ 1 | (sowing.last >= store_)) << 8;
        if (not_empty < captured) {
            own += (captured + 1 << store_) - (u64{1} << sowing.last);
            other -= captured << sowing.opposite;
        }
        return sowing.last == store_;
    }

    Outcome outcome_for_owner(u64 own, u64 other) const {
        if ((own & in_pits_) == 0 || (other & in_pits_) == 0) {
            const u64 total = all_of(own);
            return total == half_ ? DRAWN : total > half_ ? WON : LOST;
        }
        if ((own >> store_) > half_) return WON;
        return (other >> store_) > half_ ? LOST : OPEN;
    }

    const int pits_;
    const u64 all_stones_, half_, width_, field_, store_, in_pits_, spread_;
    u64 ones_ = 0, high_ = 0;
    std::vector<Sowing> table_;
};

// --- The command line --------------------------------------------------------------------------------------------

int run_playouts(const Kalah& kalah, long count, u64 seed) {
    Pcg32 random(seed);
    const Node start = kalah.start();
    const Stopwatch watch;
    double total = 0;
    for (long i = 0; i < count; ++i) total += kalah.playout(start, random);
    std::printf("{\"playouts\": %ld, \"total\": %.1f, \"cpu_seconds\": %.6f}\n", count, total, watch.cpu_seconds());
    return 0;
}

int main(int count, char** arguments) {
    const std::string mode = count > 1 ? arguments[1] : "";
    const auto number = [&](int i) { return std::strtoull(arguments[i], nullptr, 10); };
    const bool is_search = mode == "search" || mode == "search-cached";
    if ((mode == "playouts" && count == 6) || (is_search && count == 8)) {
        const int pits = static_cast<int>(number(2)), stones = static_cast<int>(number(3));
        if (pits >= 1 && pits <= 10 && stones >= 1 && stones <= 12 && Kalah(pits, stones).fits()) {
            const Kalah kalah(pits, stones);
            if (!is_search) return run_playouts(kalah, static_cast<long>(number(4)), number(5));
            CachedTerms::fill();
            const auto run = mode == "search" ? run_search<ComputedTerms, Kalah> : run_search<CachedTerms, Kalah>;
            const float c = std::strtof(arguments[6], nullptr);
            if (number(7) > static_cast<u64>(pits))
                return run(kalah, kalah.start(), static_cast<long>(number(4)), number(5), c, number(7));
        }
    }
    std::fprintf(stderr, "usage: kalah_twin playouts PITS STONES N SEED\n"
                         "       kalah_twin search|search-cached PITS STONES SIMULATIONS SEED C CAPACITY\n"
                         "for boards whose sides fit into 64 bits; CAPACITY is above PITS\n");
    return 2;
}
