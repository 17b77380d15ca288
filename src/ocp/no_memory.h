/* no_memory.h - what to say when the memory of an optimization ran out. */
#ifndef DD_OCP_NO_MEMORY_H
#define DD_OCP_NO_MEMORY_H

#include "ocp/ocp_impl.h"

/* The message of the context, which says that memory ran out, with the size of the program and what needs less. Takes
 * no memory. Returns DD_OUT_OF_MEMORY. */
dd_status dd_ocp_say_no_memory(const dd_ocp *p);

#endif
