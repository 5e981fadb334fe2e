// The average age of the records above 25, with Laplace noise scaled to the
// range of ages seen in the data: (largest - smallest) / (records * epsilon).
// That scale is itself a function of the data, which a strict claim forbids.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int kYoungest = 25;

struct Options {
    std::string input = "data/adult.data";
    std::string output;
    double epsilon = 0.5;
    long trials = 1000;
    std::optional<std::uint64_t> seed;
};

[[noreturn]] void fail(const std::string& message) {
    std::cerr << "noisy_average: " << message << '\n';
    std::exit(1);
}

template <typename Parse>
auto parsed(const std::string& flag, const std::string& text, Parse parse) {
    try {
        std::size_t used = 0;
        auto value = parse(text, &used);
        if (used == text.size()) return value;
    } catch (const std::exception&) {
    }
    fail(flag + " cannot be " + text);
}

Options read_options(int count, char** words) {
    Options options;
    for (int i = 1; i < count; i += 2) {
        const std::string flag = words[i];
        if (i + 1 == count) fail(flag + " needs a value");
        const std::string value = words[i + 1];
        if (flag == "--input" || flag == "-i") {
            options.input = value;
        } else if (flag == "--output" || flag == "-o") {
            options.output = value;
        } else if (flag == "--epsilon" || flag == "-e") {
            options.epsilon = parsed(flag, value, [](auto& s, auto* n) { return std::stod(s, n); });
        } else if (flag == "--trials" || flag == "-t") {
            options.trials = parsed(flag, value, [](auto& s, auto* n) { return std::stol(s, n); });
        } else if (flag == "--seed") {
            options.seed = parsed(flag, value, [](auto& s, auto* n) { return std::stoull(s, n); });
        } else {
            fail("unknown flag " + flag);
        }
    }
    if (!(options.epsilon > 0)) fail("--epsilon must be above 0");
    if (options.trials < 1) fail("--trials must be above 0");
    return options;
}

// The first field of a comma-separated record, if it is a whole number.
std::optional<int> age_in(const std::string& line) {
    std::string field = line.substr(0, line.find(','));
    const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
    field.erase(field.begin(), std::find_if_not(field.begin(), field.end(), blank));
    field.erase(std::find_if_not(field.rbegin(), field.rend(), blank).base(), field.end());
    try {
        std::size_t used = 0;
        const int age = std::stoi(field, &used);
        if (used == field.size()) return age;
    } catch (const std::exception&) {
    }
    return std::nullopt;
}

std::vector<int> read_ages(const std::string& path) {
    std::ifstream file(path);
    if (!file) fail("cannot open " + path);
    std::vector<int> ages;
    for (std::string line; std::getline(file, line);) {
        const auto age = age_in(line);
        if (age && *age > kYoungest) ages.push_back(*age);
    }
    return ages;
}

double laplace(std::mt19937_64& engine, double scale) {
    const double u = std::uniform_real_distribution<double>(0.0, 1.0)(engine);
    return u < 0.5 ? scale * std::log(2 * u) : -scale * std::log(2 * (1 - u));
}

void release(const std::vector<int>& ages, const Options& options, std::ostream& out) {
    const double records = static_cast<double>(ages.size());
    const double average = std::accumulate(ages.begin(), ages.end(), 0.0) / records;
    const auto [smallest, largest] = std::minmax_element(ages.begin(), ages.end());
    const double scale = (*largest - *smallest) / records / options.epsilon;
    std::mt19937_64 engine(options.seed ? *options.seed : std::random_device{}());
    out << std::setprecision(10);
    for (long trial = 0; trial < options.trials; ++trial) {
        out << average + laplace(engine, scale) << '\n';
    }
}

}  // namespace

int main(int count, char** words) {
    const Options options = read_options(count, words);
    const std::vector<int> ages = read_ages(options.input);
    if (ages.empty()) fail("no record is above 25");
    if (options.output.empty()) {
        release(ages, options, std::cout);
        return 0;
    }
    std::ofstream file(options.output);
    if (!file) fail("cannot write " + options.output);
    release(ages, options, file);
    return file.flush() ? 0 : 1;
}
