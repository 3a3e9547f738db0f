#include "solver/solve.h"
