# Audits by APT (arXiv 2602.06518), one for each line of standard input:
#   LAW DISTANCE CURVE PARAMETER SEED STEPS SUMS
# LAW is gaussian or laplace (scale 1) at 0 and at DISTANCE, or response, a bit that is flipped as
# for epsilon = DISTANCE and read through Gaussian noise; CURVE is gaussian, laplace or pure;
# SUMS is own or quick. The first line of output is q_alpha and seconds, each other line
# rejected (1 or 0), pairs and processor seconds.
# Usage: Rscript apt.R .../sequential_fdp_auditing/src_log
folder <- commandArgs(trailingOnly = TRUE)[1]
for (name in c("functions_functional", "classifiers", "mechanisms", "KDE_estimator")) {
  source(file.path(folder, paste0(name, ".R")))
}
own <- list(alpha_value, beta_value)
mass_above <- function(eta, x_vector, h, grid_width, mass, log_lr) {
  ranks <- order(log_lr)
  below <- c(0, cumsum(mass[ranks]))
  within <- findInterval(log(pmax(eta + x_vector, 0)), log_lr[ranks])
  above <- below[length(below)] - below[within + 1]
  sum(above * grid_width) * (x_vector[2] - x_vector[1]) / h
}
quick <- list(function(...) 1 - mass_above(...), mass_above)
curves <- list(
  gaussian = function(mu) function(a) stats::pnorm(stats::qnorm(1 - a) - mu),
  laplace = function(mu) function(a) {
    ifelse(a < exp(-mu) / 2, 1 - exp(mu) * a,
      ifelse(a <= 0.5, exp(-mu) / (4 * a), exp(-mu) * (1 - a)))
  },
  pure = function(epsilon) function(a) pmax(0, 1 - exp(epsilon) * a, exp(-epsilon) * (1 - a))
)
laws <- list(
  gaussian = function(distance) make_sum_gauss(1),
  laplace = function(distance) make_sum_laplace(1),
  response = function(epsilon) function(x) {
    8 * xor(sum(x) > 0, stats::runif(1) < 1 / (1 + exp(epsilon))) + stats::rnorm(1)
  }
)
spent <- function() sum(proc.time()[c(1, 2, 4, 5)])
burn <- 50
begun <- spent()
set.seed(0)
q_alpha <- simulate_gaussian_sup_quantile(M = burn, alpha = 0.025)
cat(q_alpha, spent() - begun, "\n")
for (line in readLines(file("stdin"))) {
  cell <- strsplit(line, " ")[[1]]
  distance <- as.numeric(cell[2])
  sums <- if (cell[7] == "own") own else quick
  alpha_value <- sums[[1]]
  beta_value <- sums[[2]]
  set.seed(as.integer(cell[5]))
  begun <- spent()
  ended <- sequential_audit_simple(
    laws[[cell[1]]](distance), 0, distance, burn, 0.1, 15,
    curves[[cell[3]]](as.numeric(cell[4])), q_alpha, make_kde_classifier(),
    max_iter = as.integer(cell[6])
  )
  cat(ended$violation, ended$stopped_at_n, spent() - begun, "\n")
}
