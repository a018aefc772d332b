// What the C++ twins of searches have in common, whatever the game: random numbers, bits, and a plain UCT that never
// loses unless every move loses.

#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <utility>
#include <vector>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

using u64 = std::uint64_t;

enum Outcome : std::uint32_t { OPEN = 0, WON = 1, LOST = 2, DRAWN = 3 };  // for the player to move

struct Stopwatch {
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    std::clock_t cpu_start = std::clock();

    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }
    double cpu_seconds() const { return static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC; }
};

// --- Random numbers: PCG32, XSH-RR 64/32 -------------------------------------------------------------------------

struct Pcg32 {
    u64 state, increment;

    explicit Pcg32(u64 seed, u64 sequence = 54) : increment(sequence << 1 | 1) {
        state = (increment + seed) * 6364136223846793005u + increment;
    }

    std::uint32_t next() {
        const u64 old = state;
        state = old * 6364136223846793005u + increment;
        const auto shifted = static_cast<std::uint32_t>((old >> 18 ^ old) >> 27);
        const auto rotation = static_cast<std::uint32_t>(old >> 59);
        return shifted >> rotation | shifted << (-rotation & 31);
    }

    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(u64{next()} * n >> 32); }
};

// --- Bits --------------------------------------------------------------------------------------------------------

inline u64 select_bit(u64 mask, u64 k) {
#if defined(__BMI2__)
    return _pdep_u64(u64{1} << k, mask);
#else
    for (; k > 0; --k) mask &= mask - 1;
    return mask & -mask;
#endif
}

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

// `Game` has MAX_CHILDREN; `write(parent, next)`, which writes the distinct successors from `next` on and returns the
// end; `playout(node, random)`, the value for the player to move; `move(parent, child)`, a number; `moves_again(node)`,
// whether the player to move in a node chose it; and its Node of 32 bytes, with these members and what the game keeps:
//
//   u64 parent : 26, first_child : 26, count : 12;
//   float score;                                  // for the player who chose this node
//   std::uint32_t visits : 29 or 30, outcome : 2;
template <class Game, class Terms>
class Search {
public:
    using Node = typename Game::Node;
    static_assert(sizeof(Node) == 32);

    Search(const Game& game, const Node& root, std::size_t capacity, u64 seed, float c)
        : game_(game), tree_(capacity), random_(seed), c_(c) {
        tree_[0] = root;
        expand(0);
    }

    void run(long simulations) {
        while (done_ < simulations && tree_[0].outcome == OPEN) {
            simulate();
            ++done_;
        }
    }

    void print(const Stopwatch& watch) const {
        const double seconds = watch.seconds(), cpu = watch.cpu_seconds();
        const Node& root = tree_[0];
        std::size_t best = root.first_child;
        for (std::size_t i = best, end = i + root.count; i < end; ++i)
            if (tree_[i].visits > tree_[best].visits) best = i;
        std::printf("{\"simulations\": %ld, \"playouts\": %ld, \"nodes\": %zu, \"node_bytes\": %zu, \"seconds\": %.6f, "
                    "\"cpu_seconds\": %.6f, \"move\": %d, \"visits\": %u, \"value\": %.6f}\n",
                    done_, playouts_, used_, sizeof(Node), seconds, cpu, game_.move(root, tree_[best]),
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
            if (outcome == (game_.moves_again(tree_[i]) ? WON : LOST)) return WON;
            if (outcome == OPEN) best = OPEN;
            if (outcome == DRAWN && best == LOST) best = DRAWN;
        }
        return best;
    }

    Outcome expand(std::size_t index) {
        Node& node = tree_[index];
        Node* const first = &tree_[used_];
        Node* const end = game_.write(node, first);
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
            if (!game_.moves_again(node)) value = 1.0f - value;
            node.score += value;
            node.visits += 1;
            if (index == 0) return;
        }
    }

    void simulate() {
        std::size_t index = 0;
        while (tree_[index].count != 0) index = choose(tree_[index]);
        if (tree_[index].visits > 0 && used_ + game_.MAX_CHILDREN <= tree_.size()) {
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
        backup(index, game_.playout(tree_[index], random_));
    }

    const Game& game_;
    std::vector<Node> tree_;
    Pcg32 random_;
    const float c_;
    std::size_t used_ = 1;
    long done_ = 0, playouts_ = 0;
};

template <class Terms, class Game>
int run_search(const Game& game, const typename Game::Node& root, long simulations, u64 seed, float c, std::size_t capacity) {
    Search<Game, Terms> search(game, root, capacity, seed, c);
    const Stopwatch watch;
    search.run(simulations);
    search.print(watch);
    return 0;
}
