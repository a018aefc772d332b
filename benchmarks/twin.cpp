// The C++ twin of the compiled Python code: the same Pentago Twist, the same PCG32, the same playouts (the same random
// numbers give the same values), the same generator of distinct successors, and a plain UCT that never loses unless
// every move loses. It is the yardstick of `benchmarks/twin.py`: what a C++ programmer would write, without tricks.
//
//   twin playouts N SEED                        values of N playouts from the empty board, summed
//   twin search SIMULATIONS SEED C CAPACITY     UCT from the empty board; sqrt and log computed each time
//   twin search-cached ...                      the same with sqrt(ln n) and 1 / sqrt(n) looked up in tables
//   twin successors MINE THEIRS                 the distinct successors of a position, for the tests
//
// Each prints one line of JSON. Representation and words are those of `pentago/`: a stone is bit 9 q + 3 r + c of a
// 36-bit board, a move is 8 cell + 2 quadrant + turn, and a board is seen by the player to move.

#include <chrono>
#include <cmath>
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

// --- The tree ----------------------------------------------------------------------------------------------------

struct Node {
    u64 mine;    // bits 0-35 stones of the player to move, 36-44 the last move
    u64 theirs;  // bits 0-35 stones of the other
    u64 parent : 26, first_child : 26, count : 12;
    float score;  // for the player who chose this node
    std::uint32_t visits : 30, outcome : 2;
};
static_assert(sizeof(Node) == 32);

// --- UCT ---------------------------------------------------------------------------------------------------------

struct ComputedTerms {
    static float exploration(float c, std::uint32_t parent_visits) {
        return c * std::sqrt(std::log(static_cast<float>(parent_visits)));
    }
    static float inverse_sqrt(std::uint32_t visits) { return 1.0f / std::sqrt(static_cast<float>(visits)); }
};

struct CachedTerms {
    static constexpr std::uint32_t SIZE = 1 << 16;
    static inline std::array<float, SIZE> sqrt_log{}, inverse{};

    static void fill() {
        for (std::uint32_t n = 1; n < SIZE; ++n) {
            sqrt_log[n] = static_cast<float>(std::sqrt(std::log(static_cast<double>(n))));
            inverse[n] = static_cast<float>(1.0 / std::sqrt(static_cast<double>(n)));
        }
    }
    static float exploration(float c, std::uint32_t parent_visits) {
        return parent_visits < SIZE ? c * sqrt_log[parent_visits] : ComputedTerms::exploration(c, parent_visits);
    }
    static float inverse_sqrt(std::uint32_t visits) {
        return visits < SIZE ? inverse[visits] : ComputedTerms::inverse_sqrt(visits);
    }
};

inline float value_of(Outcome outcome) { return outcome == WON ? 1.0f : outcome == LOST ? 0.0f : 0.5f; }

template <class Terms>
class Search {
public:
    Search(std::size_t capacity, u64 seed, float c) : tree_(capacity), random_(seed), c_(c) { expand(0); }

    void run(long simulations) {
        while (done_ < simulations && tree_[0].outcome == OPEN) {
            simulate();
            ++done_;
        }
    }

    void print(double seconds) const {
        const Node& root = tree_[0];
        std::size_t best = root.first_child;
        for (std::size_t i = best, end = i + root.count; i < end; ++i)
            if (tree_[i].visits > tree_[best].visits) best = i;
        std::printf("{\"simulations\": %ld, \"playouts\": %ld, \"nodes\": %zu, \"node_bytes\": %zu, \"seconds\": %.6f, "
                    "\"move\": %d, \"visits\": %u, \"value\": %.6f}\n",
                    done_, playouts_, used_, sizeof(Node), seconds, static_cast<int>(tree_[best].mine >> MOVE_SHIFT),
                    static_cast<unsigned>(tree_[best].visits), tree_[best].score / tree_[best].visits);
    }

private:
    std::size_t choose(const Node& parent) const {
        const float exploration = Terms::exploration(c_, parent.visits);
        std::size_t best = 0;
        float best_bound = -1.0f;
        for (std::size_t i = parent.first_child, end = i + parent.count; i < end; ++i) {
            const Node& child = tree_[i];
            if (child.outcome != OPEN) continue;
            if (child.visits == 0) return i;  // children lie in random order
            const float bound = child.score / child.visits + exploration * Terms::inverse_sqrt(child.visits);
            if (bound > best_bound) {
                best_bound = bound;
                best = i;
            }
        }
        return best;
    }

    Outcome outcome_of_children(const Node& parent) const {
        Outcome best = LOST;
        for (std::size_t i = parent.first_child, end = i + parent.count; i < end; ++i) {
            const auto outcome = static_cast<Outcome>(tree_[i].outcome);
            if (outcome == LOST) return WON;
            if (outcome == OPEN) best = OPEN;
            if (outcome == DRAWN && best == LOST) best = DRAWN;
        }
        return best;
    }

    Outcome expand(std::size_t index) {
        Node& node = tree_[index];
        Node* const first = &tree_[used_];
        Node* const end = Writer<Node>(first, node.mine & FULL, node.theirs).write();
        node.first_child = used_;
        node.count = end - first;
        const Outcome outcome = outcome_of_children(node);
        if (outcome == WON && index != 0) {
            node.count = 0;  // it will never be visited again: its children need no room
            return outcome;
        }
        for (auto i = static_cast<std::uint32_t>(end - first); i > 1; --i) std::swap(first[i - 1], first[random_.below(i)]);
        for (Node* child = first; child != end; ++child) child->parent = index;
        used_ += node.count;
        return outcome;
    }

    void resolve_upwards(std::size_t index) {
        while (index != 0) {
            index = tree_[index].parent;
            const Outcome outcome = outcome_of_children(tree_[index]);
            if (outcome == OPEN) return;
            tree_[index].outcome = outcome;
        }
    }

    void backup(std::size_t index, float value) {  // the value for the player to move at the index
        for (;; index = tree_[index].parent) {
            Node& node = tree_[index];
            value = 1.0f - value;
            node.score += value;
            node.visits += 1;
            if (index == 0) return;
        }
    }

    void simulate() {
        std::size_t index = 0;
        while (tree_[index].count != 0) index = choose(tree_[index]);
        if (tree_[index].visits > 0 && used_ + MAX_CHILDREN <= tree_.size()) {
            const Outcome outcome = expand(index);
            if (outcome != OPEN) {
                tree_[index].outcome = outcome;
                resolve_upwards(index);
                backup(index, value_of(outcome));
                return;
            }
            index = choose(tree_[index]);
        }
        ++playouts_;
        backup(index, playout(tree_[index].mine & FULL, tree_[index].theirs, random_));
    }

    std::vector<Node> tree_;
    Pcg32 random_;
    const float c_;
    std::size_t used_ = 1;
    long done_ = 0, playouts_ = 0;
};

// --- The command line --------------------------------------------------------------------------------------------

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int run_playouts(long count, u64 seed) {
    Pcg32 random(seed);
    const double start = seconds_now();
    double total = 0;
    for (long i = 0; i < count; ++i) total += playout(0, 0, random);
    std::printf("{\"playouts\": %ld, \"total\": %.1f, \"seconds\": %.6f}\n", count, total, seconds_now() - start);
    return 0;
}

template <class Terms>
int run_search(long simulations, u64 seed, float c, std::size_t capacity) {
    Search<Terms> search(capacity, seed, c);
    const double start = seconds_now();
    search.run(simulations);
    search.print(seconds_now() - start);
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
        const auto run = mode == "search" ? run_search<ComputedTerms> : run_search<CachedTerms>;
        return run(static_cast<long>(number(2)), number(3), std::strtof(arguments[4], nullptr), number(5));
    }
    std::fprintf(stderr, "usage: twin playouts N SEED | successors MINE THEIRS\n"
                         "       twin search|search-cached SIMULATIONS SEED C CAPACITY   (CAPACITY above 288)\n");
    return 2;
}
