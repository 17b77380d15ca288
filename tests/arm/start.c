/* start.c - the first instructions on a Cortex-M: vectors, floating point on, then the C library (semihosting). */
#include <stdint.h>

extern uint32_t stack_top[];
void _start(void);
void reset(void);
static void stop(void);

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_top, reset, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop, stop};

static void stop(void)
{
    for (;;) {
    }
}

void reset(void)
{
    /* CPACR: full access to the floating-point unit (ARMv7-M, B3.2.20) */
    *(volatile uint32_t *)0xe000ed88u |= 0xfu << 20;
    __asm volatile("dsb\n isb");
    _start();
}
