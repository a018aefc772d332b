// The C++ twin of the compiled Python code: the same Pentago Twist, the same PCG32, the same playouts (the same random
// numbers give the same values), the same generator of distinct successors, and a plain UCT with the same proofs of
// wins and losses. It is the yardstick of `benchmarks/twin.py`: what a C++ programmer would write, without tricks.
//
//   twin playouts N SEED                        values of N playouts from the empty board, summed
//   twin search SIMULATIONS SEED C CAPACITY     UCT from the empty board; sqrt and log computed each time
//   twin search-cached ...                      the same with sqrt(ln n) and 1 / sqrt(n) looked up in tables
//   twin successors MINE THEIRS                 the distinct successors of a position, for the tests
//
// Each prints one line of JSON. Representation and words are those of `pentago/`: a stone is bit 9 q + 3 r + c of a
// 36-bit board, a move is 8 cell + 2 quadrant + turn, and a board is seen by the player to move.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "pentago_twin.hpp"

constexpr u64 MOST_EMPTY_AT_END = 27;  // before that nobody has had five stones to put in a row

// --- Playouts ----------------------------------------------------------------------------------------------------

float playout(u64 mine, u64 theirs, Pcg32& random) {
    u64 empty_count = 36 - __builtin_popcountll(mine | theirs);
    for (bool first_moves = true; empty_count > 0; first_moves = !first_moves) {
        const u64 bits = random.next();
        mine |= select_bit(FULL & ~(mine | theirs), (bits >> 3) * empty_count >> 29);
        const int quadrant = bits >> 1 & 3, turn = bits & 1;
        mine = turned(mine, quadrant, turn);
        theirs = turned(theirs, quadrant, turn);
        if (--empty_count <= MOST_EMPTY_AT_END) {
            const auto my_lines = complete_lines(mine), their_lines = complete_lines(theirs);
            if (my_lines | their_lines) {
                if (my_lines && their_lines) return 0.5f;
                return (my_lines != 0) == first_moves ? 1.0f : 0.0f;
            }
        }
        std::swap(mine, theirs);
    }
    return 0.5f;
}

// --- UCT ---------------------------------------------------------------------------------------------------------

struct Node {
    u64 mine;    // bits 0-35 stones of the player to move, 36-44 the last move
    u64 theirs;  // bits 0-35 stones of the other
    u64 parent : 26, first_child : 26, count : 12;
    float score;  // for the player who chose this node
    std::uint32_t visits : 30, outcome : 2;
};

struct Pentago {
    using Node = ::Node;
    static constexpr int MAX_CHILDREN = ::MAX_CHILDREN;

    Node* write(const Node& node, Node* next) const { return Writer<Node>(next, node.mine & FULL, node.theirs).write(); }
    float playout(const Node& node, Pcg32& random) const { return ::playout(node.mine & FULL, node.theirs, random); }
    static constexpr bool moves_again(const Node&) { return false; }
    int move(const Node&, const Node& child) const { return static_cast<int>(child.mine >> MOVE_SHIFT); }
};

// --- The command line --------------------------------------------------------------------------------------------

int run_playouts(long count, u64 seed) {
    Pcg32 random(seed);
    const Stopwatch watch;
    double total = 0;
    for (long i = 0; i < count; ++i) total += playout(0, 0, random);
    std::printf("{\"playouts\": %ld, \"total\": %.1f, \"cpu_seconds\": %.6f}\n", count, total, watch.cpu_seconds());
    return 0;
}

int run_successors(u64 mine, u64 theirs) {
    std::vector<Node> nodes(MAX_CHILDREN);
    const Node* const end = Writer<Node>(nodes.data(), mine, theirs).write();
    std::printf("{\"successors\": [");
    for (const Node* node = nodes.data(); node != end; ++node)
        std::printf("%s[%llu, %llu, %u]", node == nodes.data() ? "" : ", ", static_cast<unsigned long long>(node->mine),
                    static_cast<unsigned long long>(node->theirs), static_cast<unsigned>(node->outcome));
    std::printf("]}\n");
    return 0;
}

int main(int count, char** arguments) {
    const std::string mode = count > 1 ? arguments[1] : "";
    const auto number = [&](int i) { return std::strtoull(arguments[i], nullptr, 10); };
    if (mode == "playouts" && count == 4) return run_playouts(static_cast<long>(number(2)), number(3));
    if (mode == "successors" && count == 4) return run_successors(number(2), number(3));
    if ((mode == "search" || mode == "search-cached") && count == 6 && number(5) > MAX_CHILDREN) {
        CachedTerms::fill();
        const auto run = mode == "search" ? run_search<ComputedTerms, Pentago> : run_search<CachedTerms, Pentago>;
        return run(Pentago{}, Node{}, static_cast<long>(number(2)), number(3), std::strtof(arguments[4], nullptr), number(5));
    }
    std::fprintf(stderr, "usage: twin playouts N SEED | successors MINE THEIRS\n"
                         "       twin search|search-cached SIMULATIONS SEED C CAPACITY   (CAPACITY above 288)\n");
    return 2;
}
