#include "model/run.h"
