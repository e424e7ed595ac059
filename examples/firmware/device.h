/* The registers of a small microcontroller, in the style of CMSIS. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdint.h>

typedef struct {
    volatile uint32_t SR;  /* status: bit 5, a byte was received */
    volatile uint32_t DR;  /* data */
    volatile uint32_t CR;  /* control */
} USART_TypeDef;

#define USART1 ((USART_TypeDef *)0x40011000u)
#define USART_SR_RXNE (1u << 5)

#endif
