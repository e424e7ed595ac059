// expect: unsafe
// options: --32
#include <stdint.h>
extern void reach_error(void);
typedef struct { volatile uint32_t MODER; volatile uint32_t IDR; volatile uint32_t ODR; } GPIO_TypeDef;
#define GPIOA ((GPIO_TypeDef *)0x40020000u)
#define PORTB (*(volatile uint8_t *)0x25)
int main(void){ GPIOA->MODER |= 1u; PORTB |= (1<<3); while (!(GPIOA->IDR & 1)) ; GPIOA->ODR = 5; if (PORTB == 7) reach_error(); return 0; }
