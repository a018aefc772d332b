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

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

using u64 = std::uint64_t;

constexpr u64 QUADRANT = 511;
constexpr u64 FULL = (u64{1} << 36) - 1;
constexpr int MOVE_SHIFT = 36;
constexpr int MAX_CHILDREN = 288;
constexpr u64 MOST_EMPTY_AT_END = 27;  // before that nobody has had five stones to put in a row

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

// --- Tables ------------------------------------------------------------------------------------------------------

struct Tables {
    std::array<std::array<std::uint16_t, 512>, 2> turns{};  // the pattern after a rotation, after a flip
    std::array<std::array<std::uint32_t, 512>, 4> lines{};  // lines that a pattern in this quadrant does not break
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
                }
                for (int quadrant = 0; quadrant < 4; ++quadrant)
                    for (int pattern = 0; pattern < 512; ++pattern)
                        if ((pattern & parts[quadrant]) == parts[quadrant])
                            tables.lines[quadrant][pattern] |= std::uint32_t{1} << line;
                ++line;
            }
    return tables;
}

const Tables TABLES = make_tables();

// --- Rules -------------------------------------------------------------------------------------------------------

enum Outcome : std::uint32_t { OPEN = 0, WON = 1, LOST = 2, DRAWN = 3 };  // for the player to move

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

inline u64 select_bit(u64 mask, u64 k) {
#if defined(__BMI2__)
    return _pdep_u64(u64{1} << k, mask);
#else
    for (; k > 0; --k) mask &= mask - 1;
    return mask & -mask;
#endif
}

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

// --- Distinct successors: see pentago/rules.py for why these are all and are distinct -----------------------------

class Writer {
public:
    Writer(Node* next, u64 mine, u64 theirs)
        : next_(next), mine_(mine), theirs_(theirs), empty_(FULL & ~(mine | theirs)),
          full_(__builtin_popcountll(mine | theirs) == 35) {}

    Node* write() {
        write_elsewhere();
        write_inside();
        return next_;
    }

private:
    void put(u64 to_move, u64 other, u64 move, bool mover_has_line, bool other_has_line) {
        *next_ = Node{};
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

    Node* next_;
    const u64 mine_, theirs_, empty_;
    const bool full_;
};

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
        Node* const end = Writer(first, node.mine & FULL, node.theirs).write();
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
    const Node* const end = Writer(nodes.data(), mine, theirs).write();
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
