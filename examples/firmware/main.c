/* A receiver: the interrupt puts bytes into a ring, the main loop takes them out. A timer counts `wait` down. */
#include "device.h"
#include <assert.h>

#define SIZE 8u

static volatile uint8_t ring[SIZE];
static volatile uint32_t head, tail;
static volatile uint32_t wait;

void USART1_IRQHandler(void) {
    if (USART1->SR & USART_SR_RXNE) {
        uint32_t next = (head + 1) % SIZE;
        uint8_t byte = (uint8_t)USART1->DR;
        if (next != tail) {
            ring[head] = byte;
            head = next;
        }
    }
}

void TIM2_IRQHandler(void) {
    if (wait > 0) wait--;
}

int main(void) {
    USART1->CR |= 1u;
    while (1) {
        if (head != tail) {
            uint32_t at = tail;
            assert(at < SIZE);
            (void)ring[at];
            tail = (at + 1) % SIZE;
            wait = 3;
        }
#ifdef BUSY
        /* The timer may count down between the question and the answer. */
        if (wait > 0) wait--;
#endif
        assert(wait <= 3);
    }
}
