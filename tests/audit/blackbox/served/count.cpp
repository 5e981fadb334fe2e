// A program that stays: the number of records with Laplace noise of a scale, from the seed given.
//
// c++ -O2 -std=c++17 count.cpp -o count && ./count SCALE
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <random>
#include <string>

// Numbers of a flat list, without a library for JSON: one more than its commas.
static std::size_t records(const std::string& line) {
    const std::size_t open = line.find('['), close = line.find(']', open);
    const std::string list = line.substr(open + 1, close - open - 1);
    if (list.find_first_not_of(' ') == std::string::npos) return 0;
    std::size_t count = 1;
    for (char c : list) count += c == ',';
    return count;
}

static unsigned long long field(const std::string& line, const std::string& name) {
    const std::size_t at = line.rfind("\"" + name + "\":");
    return std::strtoull(line.c_str() + at + name.size() + 3, nullptr, 10);
}

int main(int, char** arguments) {
    const double scale = std::strtod(arguments[1], nullptr);
    std::cout << std::setprecision(17);
    for (std::string line; std::getline(std::cin, line);) {
        std::mt19937_64 draw(field(line, "seed"));
        std::exponential_distribution<double> step(1.0);
        const unsigned long long size = field(line, "size");
        std::cout << "[";
        for (unsigned long long i = 0; i < size; ++i) {
            const double rise = step(draw);
            std::cout << (i ? ", " : "") << records(line) + scale * (rise - step(draw));
        }
        std::cout << "]" << std::endl;
    }
}
